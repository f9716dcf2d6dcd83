import paths from "nodelib:path";
import { codes } from "./errors.ts";
import { realm, type RealmUrl } from "./realm.ts";

/** What Node's `internal/url` gives its `url` module, over the URL of the web's platform. */
export const URL = realm.URL;
export const URLSearchParams = realm.URLSearchParams;
export const unsafeProtocol = new Set(["javascript", "javascript:"]);
export const hostlessProtocol = new Set(["javascript", "javascript:"]);
const SLASHED = ["http", "https", "ftp", "gopher", "file", "ws", "wss"];
export const slashedProtocol = new Set(SLASHED.flatMap((name) => [name, `${name}:`]));

export function isURL(value: unknown): boolean {
  return value instanceof realm.URL;
}

export function domainToASCII(domain: string): string {
  try {
    return new realm.URL(`ws://${domain}`).hostname;
  } catch {
    return "";
  }
}

/** Back from Punycode is a table that no platform API opens: the ASCII form names the same host. */
export function domainToUnicode(domain: string): string {
  return domainToASCII(domain);
}

export function fileURLToPath(path: unknown): string {
  return decodeURIComponent(filePathname(path));
}

export function fileURLToPathBuffer(path: unknown): Uint8Array {
  const text = filePathname(path);
  const bytes: number[] = [];
  for (let at = 0; at < text.length; at += 1) {
    const isEscape = text[at] === "%" && /^[0-9a-f]{2}$/i.test(text.slice(at + 1, at + 3));
    bytes.push(isEscape ? Number.parseInt(text.slice(at + 1, at + 3), 16) : text.charCodeAt(at));
    if (isEscape) at += 2;
  }
  return new Uint8Array(bytes);
}

function filePathname(path: unknown): string {
  const url = typeof path === "string" ? new realm.URL(path) : (path as RealmUrl);
  if (typeof url !== "object" || url === null || typeof url.href !== "string" || typeof url.protocol !== "string")
    throw new codes.ERR_INVALID_ARG_TYPE("path", ["string", "URL"], path);
  if (url.protocol !== "file:") throw new codes.ERR_INVALID_URL_SCHEME("file");
  if (url.hostname !== "") throw new codes.ERR_INVALID_FILE_URL_HOST("linux");
  if (/%2f/i.test(url.pathname)) throw new codes.ERR_INVALID_FILE_URL_PATH("must not include encoded / characters");
  return url.pathname;
}

const ESCAPES: ReadonlyMap<string, string> = new Map(
  "%\\\n\r\t?#".split("").map((letter) => [letter, `%${letter.charCodeAt(0).toString(16).toUpperCase().padStart(2, "0")}`]),
);

export function pathToFileURL(file: string): RealmUrl {
  if (typeof file !== "string") throw new codes.ERR_INVALID_ARG_TYPE("path", "string", file);
  const { resolve } = paths["posix"] as { resolve(file: string): string };
  const resolved = resolve(file);
  const url = new realm.URL("file:///");
  const folder = file.endsWith("/") && resolved !== "/" ? "/" : "";
  url.pathname = `${resolved}${folder}`.replaceAll(/[%\\\n\r\t?#]/g, (letter) => ESCAPES.get(letter) ?? letter);
  return url;
}

/** What `http.request` takes, of a URL. */
export function urlToHttpOptions(url: RealmUrl & Record<PropertyKey, unknown>): Record<string, unknown> {
  const { hostname, protocol, hash, search, pathname, href, port, username, password } = url;
  const options: Record<string, unknown> = {
    __proto__: null,
    ...url,
    protocol,
    hostname: hostname.startsWith("[") ? hostname.slice(1, -1) : hostname,
    hash,
    search,
    pathname,
    path: `${pathname}${search}`,
    href,
  };
  if (port !== "") options["port"] = Number(port);
  if (username !== "" || password !== "") options["auth"] = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return options;
}
