import { Buffer } from "./buffer.ts";
import { realm } from "./internal/realm.ts";

type Chunks = AsyncIterable<unknown> | Iterable<unknown>;

/** A whole stream as one value. */
export const shim = {
  arrayBuffer: async (chunks: Chunks) => {
    const { buffer, byteOffset, byteLength } = await toBuffer(chunks);
    return buffer.slice(byteOffset, byteOffset + byteLength);
  },
  blob: async (chunks: Chunks) => new (realm["Blob"] as new (parts: unknown[]) => object)([await toBuffer(chunks)]),
  buffer: toBuffer,
  bytes: async (chunks: Chunks) => new Uint8Array(await toBuffer(chunks)),
  json: async (chunks: Chunks) => JSON.parse(await toText(chunks)) as unknown,
  text: toText,
};

async function toBuffer(chunks: Chunks) {
  const parts: Uint8Array[] = [];
  for await (const chunk of chunks) parts.push(Buffer.from(chunk));
  return Buffer.concat(parts);
}

async function toText(chunks: Chunks): Promise<string> {
  return (await toBuffer(chunks)).toString("utf8").replace(/^\ufeff/, "");
}
