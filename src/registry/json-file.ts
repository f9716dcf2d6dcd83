import { constants } from "node:fs";
import { open } from "node:fs/promises";
import { isJsonObject, type JsonObject } from "../catalogue/json.ts";
import { PLUGINS } from "../catalogue/texts.ts";

const FLAGS = constants.O_RDONLY | constants.O_NONBLOCK;

/** A JSON object out of a file of somebody's, a sentence for what it is instead, or the system's code. Never rejects. */
export async function readJsonFile(
  file: string,
  maxBytes: number,
): Promise<{ readonly value: JsonObject } | { readonly reason: string } | { readonly code: string }> {
  try {
    await using handle = await open(file, FLAGS);
    const stats = await handle.stat();
    if (!stats.isFile()) return { reason: PLUGINS.notFile };
    const buffer = Buffer.alloc(Math.min(stats.size, maxBytes) + 1);
    let length = 0;
    while (length < buffer.length) {
      const { bytesRead } = await handle.read(buffer, length, buffer.length - length, length);
      if (bytesRead === 0) break;
      length += bytesRead;
    }
    if (length > maxBytes) return { reason: PLUGINS.tooLarge(maxBytes) };
    return parse(buffer.subarray(0, length));
  } catch (error) {
    return { code: (error as NodeJS.ErrnoException).code ?? "UNKNOWN" };
  }
}

function parse(bytes: Uint8Array): { readonly value: JsonObject } | { readonly reason: string } {
  try {
    // A mark of the byte order is no fault of the JSON behind it.
    const value: unknown = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
    return isJsonObject(value) ? { value } : { reason: PLUGINS.notObject };
  } catch {
    return { reason: PLUGINS.notJson };
  }
}
