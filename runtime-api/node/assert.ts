import library from "nodelib:assert";

/** Node's own `assert`. */
export const shim = library;
