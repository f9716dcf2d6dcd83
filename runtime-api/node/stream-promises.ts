import { shim as stream } from "./stream.ts";

export const shim = stream["promises"] as Readonly<Record<string, unknown>>;
