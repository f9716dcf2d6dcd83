import { charCodeAt, fromCharCodes, indexOf, slice } from "../../intrinsics.ts";
import { removeBreaks, trim } from "./clean.ts";
import { hostState, portState } from "./parser-host.ts";
import { fileHostState, fileSlashState, fileState, opaquePathState, pathStartState, pathState, shortenPath } from "./parser-path.ts";
import {
  BACKSLASH,
  COLON,
  END,
  HASH,
  SLASH,
  STATE,
  again,
  beginQueryOrFragment,
  copyPath,
  endsAuthority,
  isAlpha,
  type Parsing,
  type State,
} from "./parsing.ts";
import { FRAGMENT, QUERY, SPECIAL_QUERY, USERINFO, percentEncode } from "./percent.ts";
import { defaultPort, emptyUrl, hasCredentials, isSpecial, type UrlRecord } from "./record.ts";

/** Parses a text as a URL, relative to a base where one is given. Null where it is none. */
export function parseUrl(text: string, base: UrlRecord | null = null): UrlRecord | null {
  const url = emptyUrl();
  return run(removeBreaks(trim(text)), url, base, STATE.SCHEME_START, null) ? url : null;
}

/** Parses a part into a URL that there is, as its setters do. What is wrong leaves the rest as it was. */
export function parsePart(text: string, url: UrlRecord, state: State): void {
  run(removeBreaks(text), url, null, state, state);
}

function run(input: string, url: UrlRecord, base: UrlRecord | null, first: State, override: State | null): boolean {
  const parsing: Parsing = { input, url, base, override, at: 0, buffer: "", hasSeenAt: false, isInBrackets: false, hasSeenPassword: false };
  let state = first;
  for (; ; parsing.at += 1) {
    const unit = parsing.at < input.length ? charCodeAt(input, parsing.at) : END;
    const isEnd = unit === END;
    state = step(state, parsing, unit);
    if (state < 0) return state === STATE.DONE;
    // A state that sets `at` back reads the end once more.
    if (isEnd && parsing.at >= input.length) return true;
  }
}

function step(state: State, parsing: Parsing, unit: number): State {
  switch (state) {
    case STATE.SCHEME_START:
      return schemeStartState(parsing, unit);
    case STATE.SCHEME:
      return schemeState(parsing, unit);
    case STATE.NO_SCHEME:
      return noSchemeState(parsing, unit);
    case STATE.SPECIAL_RELATIVE_OR_AUTHORITY:
      return twoSlashes(parsing, unit) ? STATE.SPECIAL_AUTHORITY_IGNORE_SLASHES : again(parsing, STATE.RELATIVE);
    case STATE.PATH_OR_AUTHORITY:
      return unit === SLASH ? STATE.AUTHORITY : again(parsing, STATE.PATH);
    case STATE.RELATIVE:
      return relativeState(parsing, unit);
    case STATE.RELATIVE_SLASH:
      return relativeSlashState(parsing, unit);
    case STATE.SPECIAL_AUTHORITY_SLASHES:
      return twoSlashes(parsing, unit) ? STATE.SPECIAL_AUTHORITY_IGNORE_SLASHES : again(parsing, STATE.SPECIAL_AUTHORITY_IGNORE_SLASHES);
    case STATE.SPECIAL_AUTHORITY_IGNORE_SLASHES:
      return unit === SLASH || unit === BACKSLASH ? state : again(parsing, STATE.AUTHORITY);
    case STATE.AUTHORITY:
      return authorityState(parsing, unit);
    case STATE.HOST:
    case STATE.HOSTNAME:
      return hostState(parsing, unit, state);
    case STATE.PORT:
      return portState(parsing, unit);
    case STATE.FILE:
      return fileState(parsing, unit);
    case STATE.FILE_SLASH:
      return fileSlashState(parsing, unit);
    case STATE.FILE_HOST:
      return fileHostState(parsing, unit);
    case STATE.PATH_START:
      return pathStartState(parsing, unit);
    case STATE.PATH:
      return pathState(parsing);
    case STATE.OPAQUE_PATH:
      return opaquePathState(parsing);
    case STATE.QUERY:
      return queryState(parsing);
    case STATE.FRAGMENT:
      parsing.url.fragment = (parsing.url.fragment ?? "") + percentEncode(slice(parsing.input, parsing.at), FRAGMENT);
      return STATE.DONE;
    case STATE.DONE:
    case STATE.FAILED:
      return state;
  }
}

function twoSlashes(parsing: Parsing, unit: number): boolean {
  const { input, at } = parsing;
  const areTwo = unit === SLASH && at + 1 < input.length && charCodeAt(input, at + 1) === SLASH;
  if (areTwo) parsing.at += 1;
  return areTwo;
}

function schemeStartState(parsing: Parsing, unit: number): State {
  if (isAlpha(unit)) {
    parsing.buffer += fromCharCodes(unit | 0x20);
    return STATE.SCHEME;
  }
  return parsing.override === null ? again(parsing, STATE.NO_SCHEME) : STATE.FAILED;
}

function schemeState(parsing: Parsing, unit: number): State {
  const { url, base, override } = parsing;
  if (isAlpha(unit) || (unit >= 0x30 && unit <= 0x39) || unit === 0x2b || unit === 0x2d || unit === 0x2e) {
    parsing.buffer += fromCharCodes(isAlpha(unit) ? unit | 0x20 : unit);
    return STATE.SCHEME;
  }
  if (unit === COLON && override !== null) return changeScheme(url, parsing.buffer);
  if (unit === COLON) {
    url.scheme = parsing.buffer;
    parsing.buffer = "";
    if (url.scheme === "file") return STATE.FILE;
    if (isSpecial(url)) return base?.scheme === url.scheme ? STATE.SPECIAL_RELATIVE_OR_AUTHORITY : STATE.SPECIAL_AUTHORITY_SLASHES;
    if (charCodeAt(parsing.input, parsing.at + 1) === SLASH) {
      parsing.at += 1;
      return STATE.PATH_OR_AUTHORITY;
    }
    url.path = "";
    return STATE.OPAQUE_PATH;
  }
  if (override !== null) return STATE.FAILED;
  parsing.buffer = "";
  parsing.at = -1;
  return STATE.NO_SCHEME;
}

// What is special stays special, and the other way round.
function changeScheme(url: UrlRecord, scheme: string): State {
  const isSame = isSpecial(url) === (defaultPort(scheme) !== undefined);
  const cannotBeFile = scheme === "file" && (hasCredentials(url) || url.port !== null);
  if (!isSame || cannotBeFile || (url.scheme === "file" && url.host === "")) return STATE.DONE;
  url.scheme = scheme;
  if (url.port === defaultPort(scheme)) url.port = null;
  return STATE.DONE;
}

function noSchemeState(parsing: Parsing, unit: number): State {
  const { url, base } = parsing;
  if (base === null) return STATE.FAILED;
  if (typeof base.path !== "string") return again(parsing, base.scheme === "file" ? STATE.FILE : STATE.RELATIVE);
  if (unit !== HASH) return STATE.FAILED;
  url.scheme = base.scheme;
  url.path = base.path;
  url.query = base.query;
  url.fragment = "";
  return STATE.FRAGMENT;
}

function relativeState(parsing: Parsing, unit: number): State {
  const { url, base } = parsing;
  if (base === null) return STATE.FAILED;
  url.scheme = base.scheme;
  if (unit === SLASH || (unit === BACKSLASH && isSpecial(url))) return STATE.RELATIVE_SLASH;
  copyAuthority(url, base);
  url.path = copyPath(base.path);
  url.query = base.query;
  if (unit === END) return STATE.DONE;
  const next = beginQueryOrFragment(parsing, unit);
  if (next !== null) return next;
  url.query = null;
  shortenPath(url);
  return again(parsing, STATE.PATH);
}

function relativeSlashState(parsing: Parsing, unit: number): State {
  const { url, base } = parsing;
  if (isSpecial(url) && (unit === SLASH || unit === BACKSLASH)) return STATE.SPECIAL_AUTHORITY_IGNORE_SLASHES;
  if (unit === SLASH) return STATE.AUTHORITY;
  if (base !== null) copyAuthority(url, base);
  return again(parsing, STATE.PATH);
}

function authorityState(parsing: Parsing, unit: number): State {
  const { url } = parsing;
  if (unit === 0x40) {
    takeCredentials(parsing);
    parsing.buffer = "";
    return STATE.AUTHORITY;
  }
  if (endsAuthority(url, unit)) {
    if (parsing.hasSeenAt && parsing.buffer === "") return STATE.FAILED;
    parsing.at -= parsing.buffer.length + 1;
    parsing.buffer = "";
    return STATE.HOST;
  }
  parsing.buffer += parsing.input[parsing.at];
  return STATE.AUTHORITY;
}

// What stands before an @: of several only the last one ends it.
function takeCredentials(parsing: Parsing): void {
  const { url } = parsing;
  const text = parsing.hasSeenAt ? `%40${parsing.buffer}` : parsing.buffer;
  parsing.hasSeenAt = true;
  let colon = -1;
  for (let at = 0; !parsing.hasSeenPassword && colon < 0 && at < text.length; at += 1) if (charCodeAt(text, at) === COLON) colon = at;
  if (parsing.hasSeenPassword) url.password += percentEncode(text, USERINFO);
  else if (colon < 0) url.username += percentEncode(text, USERINFO);
  else {
    parsing.hasSeenPassword = true;
    url.username += percentEncode(slice(text, 0, colon), USERINFO);
    url.password += percentEncode(slice(text, colon + 1), USERINFO);
  }
}

function queryState(parsing: Parsing): State {
  const { url, input, override } = parsing;
  const hash = override === null ? indexOf(input, "#", parsing.at) : -1;
  const end = hash < 0 ? input.length : hash;
  url.query = (url.query ?? "") + percentEncode(slice(input, parsing.at, end), isSpecial(url) ? SPECIAL_QUERY : QUERY);
  parsing.at = end;
  if (end >= input.length) return STATE.DONE;
  url.fragment = "";
  return STATE.FRAGMENT;
}

function copyAuthority(url: UrlRecord, base: UrlRecord): void {
  url.username = base.username;
  url.password = base.password;
  url.host = base.host;
  url.port = base.port;
}
