import stream from "readable-stream/lib/stream.js";
import { fromWeb, toWeb } from "./internal/web-streams.ts";
import { Buffer } from "./buffer.ts";

interface Classes {
  readonly Readable: object;
  readonly Writable: object;
  readonly Duplex: object;
  readonly [name: string]: unknown;
}
const { Readable, Writable, Duplex } = stream as unknown as Classes;

// The library leaves the way to and from the web's streams to Node, which it is not in.
define(Readable, { fromWeb: fromWeb.readable, toWeb: toWeb.readable });
define(Writable, { fromWeb: fromWeb.writable, toWeb: toWeb.writable });
define(Duplex, { fromWeb: fromWeb.duplex, toWeb: toWeb.duplex });
define(stream, {
  _isUint8Array: (value: unknown) => value instanceof Uint8Array,
  _isArrayBufferView: (value: unknown) => ArrayBuffer.isView(value),
  _uint8ArrayToBuffer: (bytes: Uint8Array) => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength),
});

/** Node's own streams, as readable-stream publishes them. */
export const shim = stream;

function define(target: object, methods: Readonly<Record<string, unknown>>): void {
  for (const [name, value] of Object.entries(methods)) {
    Object.defineProperty(target, name, { value, enumerable: true, writable: true, configurable: true });
  }
}
