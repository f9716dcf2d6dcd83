import { apply, indexOf, slice } from "../intrinsics.ts";
import { decodeBase64 } from "./base64.ts";
import { parseMimeType, serializeMimeType } from "./mime-type.ts";
import { percentDecodeBytes } from "./url/percent.ts";

const toLowerCase = String.prototype.toLowerCase;

export interface DataUrl {
  readonly type: string;
  /** Latin-1 text. */
  readonly bytes: string;
}

/** What a `data:` URL holds (Fetch Standard, 6), or null where it is malformed. The URL is one that was parsed, without a fragment. */
export function readDataUrl(url: string): DataUrl | null {
  const rest = slice(url, "data:".length);
  const comma = indexOf(rest, ",");
  if (comma < 0) return null;
  let type = trimSpaces(slice(rest, 0, comma));
  let bytes: string | null = percentDecodeBytes(slice(rest, comma + 1));
  const semicolon = lastSemicolon(type);
  if (semicolon >= 0 && apply(toLowerCase, trimSpaces(slice(type, semicolon + 1)), []) === "base64") {
    bytes = decodeBase64(bytes);
    type = slice(type, 0, semicolon);
  }
  if (bytes === null) return null;
  const parsed = parseMimeType(type[0] === ";" ? `text/plain${type}` : type);
  return { type: parsed === null ? "text/plain;charset=US-ASCII" : serializeMimeType(parsed), bytes };
}

function lastSemicolon(text: string): number {
  let at = text.length - 1;
  while (at >= 0 && text[at] !== ";") at -= 1;
  return at;
}

function trimSpaces(text: string): string {
  let from = 0;
  let end = text.length;
  while (from < end && text[from] === " ") from += 1;
  while (end > from && text[end - 1] === " ") end -= 1;
  return slice(text, from, end);
}
