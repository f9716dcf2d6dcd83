import library from "nodelib:punycode";

/** Node's own `punycode`. */
export const shim = library;
