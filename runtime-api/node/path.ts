import library from "nodelib:path";

/** Node's own `path`. */
export const shim = library;
