import { errno } from "unenv/node/internal/os/constants";

/** The numbers that Node gives to what an operating system says, with their names. */
export const errors: ReadonlyMap<number, readonly [name: string, message: string]> = new Map(
  Object.entries(errno as Readonly<Record<string, number>>).map(([name, number]) => [-number, [name, name] as const]),
);
