import library from "nodelib:url";

/** Node's own `url`. */
export const shim = library;
