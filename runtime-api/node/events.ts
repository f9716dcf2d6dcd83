import library from "nodelib:events";

/** Node's own `events`. */
export const shim = library;
