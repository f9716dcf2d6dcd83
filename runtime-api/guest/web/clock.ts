import { now } from "../intrinsics.ts";

let origin: number | null = null;
let latest = 0;

/** Begins the time that `performance` counts: when the cell has been told whose it is, not when its code was built. */
export function startClock(): void {
  origin ??= now();
}

export function timeOrigin(): number {
  startClock();
  return origin as number;
}

/** Whole milliseconds since then, and never fewer than before, whatever the machine's clock does. */
export function elapsed(): number {
  const milliseconds = now() - timeOrigin();
  if (milliseconds > latest) latest = milliseconds;
  return latest;
}
