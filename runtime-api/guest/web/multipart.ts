import { apply, charCodeAt, indexOf, slice } from "../intrinsics.ts";
import { File, bytesOfBlob } from "./blob.ts";
import { bytesOf } from "./bytes.ts";
import { FormData, entriesOf } from "./form-data.ts";
import { decodeUtf8, encodeUtf8 } from "./utf8.ts";

const replaceAll = String.prototype.replaceAll as (this: string, pattern: RegExp, by: (found: string) => string) => string;
const toLowerCase = String.prototype.toLowerCase;
const random = Math.random;
const floor = Math.floor;

export interface Encoded {
  /** Latin-1 text. */
  readonly bytes: string;
  readonly type: string;
}

/** multipart/form-data (HTML Standard, 4.10.21.8), as bytes in a Latin-1 text. */
export function encodeForm(form: FormData, latin1: (bytes: Uint8Array) => string): Encoded {
  const boundary = `----formdata-${digits()}${digits()}`;
  const utf8 = (text: string): string => latin1(encodeUtf8(text));
  const entries = entriesOf(form);
  let bytes = "";
  for (let at = 0; at < entries.length; at += 1) {
    const { 0: name, 1: value } = entries[at] as (typeof entries)[number];
    bytes += `--${boundary}\r\nContent-Disposition: form-data; name="${utf8(escape(breaks(name)))}"`;
    if (typeof value === "string") bytes += `\r\n\r\n${utf8(breaks(value))}\r\n`;
    else {
      const type = value.type === "" ? "application/octet-stream" : value.type;
      bytes += `; filename="${utf8(escape(value.name))}"\r\nContent-Type: ${type}\r\n\r\n${latin1(bytesOfBlob(value))}\r\n`;
    }
  }
  return { bytes: `${bytes}--${boundary}--\r\n`, type: `multipart/form-data; boundary=${boundary}` };
}

/** Reads multipart/form-data from bytes in a Latin-1 text. Null where it is malformed. */
export function decodeForm(body: string, boundary: string): FormData | null {
  const form = new FormData();
  const mark = `--${boundary}`;
  // What stands before the first boundary, and behind the last, means nothing.
  let at = startsAt(body, mark, 0) ? 0 : indexOf(body, `\r\n${mark}`) + 2;
  if (at === 1) return null;
  for (;;) {
    at += mark.length;
    if (startsAt(body, "--", at)) return form;
    while (charCodeAt(body, at) === 0x20 || charCodeAt(body, at) === 0x09) at += 1;
    if (!startsAt(body, "\r\n", at)) return null;
    const head = readHead(body, at + 2);
    const end = head === null ? -1 : indexOf(body, `\r\n${mark}`, head.end - 2);
    if (head === null || end < 0 || head.name === null) return null;
    const content = slice(body, head.end, end);
    if (head.filename === null) form.append(head.name, decodeUtf8(bytesOf(content)));
    else form.append(head.name, new File([bytesOf(content)], head.filename, { __proto__: null, type: head.type }));
    at = end + 2;
  }
}

interface Head {
  name: string | null;
  filename: string | null;
  type: string;
  /** Where the content begins. */
  end: number;
}

function readHead(body: string, from: number): Head | null {
  const head: Head = { name: null, filename: null, type: "text/plain", end: from };
  for (;;) {
    const end = indexOf(body, "\r\n", head.end);
    if (end < 0) return null;
    const line = slice(body, head.end, end);
    head.end = end + 2;
    if (line === "") return head;
    const colon = indexOf(line, ":");
    if (colon < 1) return null;
    const name = apply(toLowerCase, slice(line, 0, colon), []);
    const value = slice(line, colon + 1);
    if (name === "content-type") head.type = trimSpaces(value);
    if (name === "content-disposition" && !readDisposition(value, head)) return null;
  }
}

// form-data; name="…"; filename="…"
function readDisposition(value: string, head: Head): boolean {
  let at = skipSpaces(value, 0);
  const end = indexOf(value, ";", at);
  if (apply(toLowerCase, trimSpaces(slice(value, at, end < 0 ? value.length : end)), []) !== "form-data") return false;
  at = end < 0 ? value.length : end + 1;
  while (at < value.length) {
    at = skipSpaces(value, at);
    const equals = indexOf(value, "=", at);
    if (equals < 0) return trimSpaces(slice(value, at)) === "";
    const key = apply(toLowerCase, trimSpaces(slice(value, at, equals)), []);
    const isQuoted = charCodeAt(value, equals + 1) === 0x22;
    const from = isQuoted ? equals + 2 : equals + 1;
    const found = indexOf(value, isQuoted ? '"' : ";", from);
    if (isQuoted && found < 0) return false;
    const to = found < 0 ? value.length : found;
    const text = decodeUtf8(bytesOf(unescape(slice(value, from, to))));
    if (key === "name") head.name = text;
    if (key === "filename") head.filename = text;
    const next = isQuoted ? indexOf(value, ";", to) : to;
    at = next < 0 ? value.length : next + 1;
  }
  return true;
}

// A lone line break becomes a pair.
function breaks(text: string): string {
  return apply(replaceAll, text, [/\r\n|\r|\n/gu, () => "\r\n"]);
}

function escape(text: string): string {
  return apply(replaceAll, text, [/[\r\n"]/gu, (found) => (found === '"' ? "%22" : found === "\r" ? "%0D" : "%0A")]);
}

function unescape(text: string): string {
  return apply(replaceAll, text, [/%(?:22|0D|0A)/gu, (found) => (found === "%22" ? '"' : found === "%0D" ? "\r" : "\n")]);
}

function startsAt(text: string, part: string, at: number): boolean {
  return slice(text, at, at + part.length) === part;
}

function skipSpaces(text: string, from: number): number {
  let at = from;
  while (charCodeAt(text, at) === 0x20 || charCodeAt(text, at) === 0x09) at += 1;
  return at;
}

function trimSpaces(text: string): string {
  let end = text.length;
  while (end > 0 && (charCodeAt(text, end - 1) === 0x20 || charCodeAt(text, end - 1) === 0x09)) end -= 1;
  return slice(text, skipSpaces(text, 0), end);
}

function digits(): string {
  return `000000000000${floor(random() * 1e12)}`.slice(-12);
}
