import { apply, charCodeAt, slice } from "../../intrinsics.ts";
import { parseHost } from "./host.ts";
import {
  BACKSLASH,
  COLON,
  END,
  HASH,
  QUESTION,
  SLASH,
  STATE,
  again,
  beginQueryOrFragment,
  copyPath,
  isAlpha,
  type Parsing,
  type State,
} from "./parsing.ts";
import { C0_CONTROL, PATH, percentEncode } from "./percent.ts";
import { isSpecial, type UrlRecord } from "./record.ts";

const toLowerCase = String.prototype.toLowerCase;

export function fileState(parsing: Parsing, unit: number): State {
  const { url, base } = parsing;
  url.scheme = "file";
  url.host = "";
  if (unit === SLASH || unit === BACKSLASH) return STATE.FILE_SLASH;
  if (base?.scheme !== "file") return again(parsing, STATE.PATH);
  url.host = base.host;
  url.path = copyPath(base.path);
  url.query = base.query;
  if (unit === END) return STATE.DONE;
  const next = beginQueryOrFragment(parsing, unit);
  if (next !== null) return next;
  url.query = null;
  if (startsWithDrive(parsing)) url.path = copyPath([]);
  else shortenPath(url);
  return again(parsing, STATE.PATH);
}

export function fileSlashState(parsing: Parsing, unit: number): State {
  const { url, base } = parsing;
  if (unit === SLASH || unit === BACKSLASH) return STATE.FILE_HOST;
  if (base?.scheme === "file") {
    url.host = base.host;
    const first = base.path[0];
    if (!startsWithDrive(parsing) && first !== undefined && isDrive(first, true)) append(url, first);
  }
  return again(parsing, STATE.PATH);
}

export function fileHostState(parsing: Parsing, unit: number): State {
  const { url, override } = parsing;
  if (unit !== END && unit !== SLASH && unit !== BACKSLASH && unit !== QUESTION && unit !== HASH) {
    parsing.buffer += parsing.input[parsing.at];
    return STATE.FILE_HOST;
  }
  // The drive letter stays in the buffer: it is the first part of the path.
  if (override === null && isDrive(parsing.buffer, false)) return again(parsing, STATE.PATH);
  const host = parsing.buffer === "" ? "" : parseHost(parsing.buffer, !isSpecial(url));
  if (host === null) return STATE.FAILED;
  url.host = host === "localhost" ? "" : host;
  if (override !== null) return STATE.DONE;
  parsing.buffer = "";
  return again(parsing, STATE.PATH_START);
}

export function pathStartState(parsing: Parsing, unit: number): State {
  const { url, override } = parsing;
  if (isSpecial(url)) return unit === SLASH || unit === BACKSLASH ? STATE.PATH : again(parsing, STATE.PATH);
  const next = override === null ? beginQueryOrFragment(parsing, unit) : null;
  if (next !== null) return next;
  if (unit !== END) return unit === SLASH ? STATE.PATH : again(parsing, STATE.PATH);
  if (override !== null && url.host === null) append(url, "");
  return STATE.DONE;
}

export function pathState(parsing: Parsing): State {
  const { url, input, override } = parsing;
  const special = isSpecial(url);
  let end = parsing.at;
  let unit = END;
  for (; end < input.length; end += 1) {
    unit = charCodeAt(input, end);
    if (unit === SLASH || (special && unit === BACKSLASH) || (override === null && (unit === QUESTION || unit === HASH))) break;
  }
  if (end >= input.length) unit = END;
  endSegment(url, parsing.buffer + slice(input, parsing.at, end), unit === SLASH || (special && unit === BACKSLASH));
  parsing.buffer = "";
  parsing.at = end;
  if (unit === END) return STATE.DONE;
  return beginQueryOrFragment(parsing, unit) ?? STATE.PATH;
}

function endSegment(url: UrlRecord, segment: string, isFollowed: boolean): void {
  if (isDoubleDot(segment)) {
    shortenPath(url);
    if (!isFollowed) append(url, "");
  } else if (isSingleDot(segment)) {
    if (!isFollowed) append(url, "");
  } else if (url.scheme === "file" && url.path.length === 0 && isDrive(segment, false)) append(url, `${segment[0]}:`);
  else append(url, percentEncode(segment, PATH));
}

export function opaquePathState(parsing: Parsing): State {
  const { url, input } = parsing;
  let end = parsing.at;
  while (end < input.length && charCodeAt(input, end) !== QUESTION && charCodeAt(input, end) !== HASH) end += 1;
  let text = slice(input, parsing.at, end);
  // A last space would be lost where the query or the fragment goes away.
  if (end < input.length && charCodeAt(text, text.length - 1) === 0x20) text = `${slice(text, 0, -1)}%20`;
  url.path = `${url.path as string}${percentEncode(text, C0_CONTROL)}`;
  parsing.at = end;
  return end < input.length ? (beginQueryOrFragment(parsing, charCodeAt(input, end)) as State) : STATE.DONE;
}

/** Leaves the last part of a path away, unless it is a drive letter. */
export function shortenPath(url: UrlRecord): void {
  const { path } = url;
  if (typeof path === "string" || path.length === 0) return;
  if (url.scheme === "file" && path.length === 1 && isDrive(path[0] as string, true)) return;
  path.length -= 1;
}

function append({ path }: UrlRecord, segment: string): void {
  if (typeof path !== "string") path[path.length] = segment;
}

function isSingleDot(segment: string): boolean {
  return segment === "." || apply(toLowerCase, segment, []) === "%2e";
}

function isDoubleDot(segment: string): boolean {
  if (segment === "..") return true;
  if (segment.length !== 4 && segment.length !== 6) return false;
  const lower = apply(toLowerCase, segment, []);
  return lower === ".%2e" || lower === "%2e." || lower === "%2e%2e";
}

function isDrive(text: string, isNormalized: boolean): boolean {
  const second = charCodeAt(text, 1);
  return text.length === 2 && isAlpha(charCodeAt(text, 0)) && (second === COLON || (!isNormalized && second === 0x7c));
}

function startsWithDrive({ input, at }: Parsing): boolean {
  if (!isDrive(slice(input, at, at + 2), false)) return false;
  if (at + 2 >= input.length) return true;
  const next = charCodeAt(input, at + 2);
  return next === SLASH || next === BACKSLASH || next === QUESTION || next === HASH;
}
