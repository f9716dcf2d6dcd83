import type * as Crypto from "node:crypto";
import type * as Zlib from "node:zlib";

// Loaded when a guest first asks for what they compute: together they take as long as a tenth of a keeper's start.
let cryptoModule: typeof Crypto | null = null;
let zlibModule: typeof Zlib | null = null;

/** `node:crypto` */
export function crypto(): typeof Crypto {
  return (cryptoModule ??= process.getBuiltinModule("node:crypto"));
}

/** `node:zlib` */
export function zlib(): typeof Zlib {
  return (zlibModule ??= process.getBuiltinModule("node:zlib"));
}
