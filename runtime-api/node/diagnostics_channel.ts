import library from "nodelib:diagnostics_channel";

/** Node's own `diagnostics_channel`. */
export const shim = library;
