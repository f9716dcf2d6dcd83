import library from "nodelib:querystring";

/** Node's own `querystring`. */
export const shim = library;
