import { constants } from "./internal/zlib/constants.ts";
import { crc32 } from "./internal/zlib/crc32.ts";
import { createZlibClass } from "./internal/zlib/streams.ts";
import { runLater, runWhole, type Kind, type ZlibOptions } from "./internal/zlib/whole.ts";

const KINDS: Readonly<Record<string, Kind>> = {
  Gzip: { format: "gzip", isCompressing: true },
  Gunzip: { format: "gzip", isCompressing: false },
  Deflate: { format: "deflate", isCompressing: true },
  Inflate: { format: "deflate", isCompressing: false },
  DeflateRaw: { format: "deflate-raw", isCompressing: true },
  InflateRaw: { format: "deflate-raw", isCompressing: false },
  Unzip: { format: "unzip", isCompressing: false },
  BrotliCompress: { format: "brotli", isCompressing: true },
  BrotliDecompress: { format: "brotli", isCompressing: false },
};

/** Node's `zlib` over the keeper's codecs: whole texts and streams of every kind but Zstandard. */
export const shim: Record<string, unknown> = {
  ...Object.fromEntries(Object.entries(constants).filter(([name]) => name.startsWith("Z_"))),
  constants,
  codes: {
    Z_OK: 0,
    Z_STREAM_END: 1,
    Z_NEED_DICT: 2,
    Z_ERRNO: -1,
    Z_STREAM_ERROR: -2,
    Z_DATA_ERROR: -3,
    Z_MEM_ERROR: -4,
    Z_BUF_ERROR: -5,
    Z_VERSION_ERROR: -6,
  },
  crc32,
};

for (const [name, kind] of Object.entries(KINDS)) {
  const verb = name.charAt(0).toLowerCase() + name.slice(1);
  const Class = createZlibClass(name, kind);
  shim[name] = Class;
  shim[`create${name}`] = (options?: ZlibOptions) => new Class(options);
  shim[`${verb}Sync`] = (data: unknown, options?: ZlibOptions) => runWhole(kind, data, options);
  shim[verb] = (data: unknown, ...rest: unknown[]) => runLater(kind, data, ...rest);
}
