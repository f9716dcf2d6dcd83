import { bareArray } from "../../intrinsics.ts";

/** A URL record (URL Standard, 4.1). */
export interface UrlRecord {
  scheme: string;
  username: string;
  password: string;
  /** As it is written: `[::1]`, `127.0.0.1`, `example.com`. */
  host: string | null;
  port: number | null;
  /** A text where the path is opaque, as in `mailto:`. */
  path: string | string[];
  query: string | null;
  fragment: string | null;
}

export function emptyUrl(): UrlRecord {
  return { scheme: "", username: "", password: "", host: null, port: null, path: bareArray<string>(), query: null, fragment: null };
}

/** The port that is left out of a special scheme's URLs; null for `file`, undefined for a scheme that is not special. */
export function defaultPort(scheme: string): number | null | undefined {
  switch (scheme) {
    case "http":
    case "ws":
      return 80;
    case "https":
    case "wss":
      return 443;
    case "ftp":
      return 21;
    case "file":
      return null;
    default:
      return undefined;
  }
}

export function isSpecial(url: UrlRecord): boolean {
  return defaultPort(url.scheme) !== undefined;
}

export function hasCredentials(url: UrlRecord): boolean {
  return url.username !== "" || url.password !== "";
}

/** Whether there is nowhere that a name, a password or a port would belong. */
export function isBare(url: UrlRecord): boolean {
  return url.host === null || url.host === "" || url.scheme === "file";
}

export function serializePath({ path }: UrlRecord): string {
  if (typeof path === "string") return path;
  let text = "";
  for (let at = 0; at < path.length; at += 1) text += `/${path[at]}`;
  return text;
}

export function serializeHost({ host, port }: UrlRecord): string {
  return host === null ? "" : port === null ? host : `${host}:${port}`;
}

export function serializeUrl(url: UrlRecord, withFragment = true): string {
  let text = `${url.scheme}:`;
  if (url.host !== null) {
    text += "//";
    if (hasCredentials(url)) text += url.password === "" ? `${url.username}@` : `${url.username}:${url.password}@`;
    text += serializeHost(url);
  } else if (typeof url.path !== "string" && url.path.length > 1 && url.path[0] === "") {
    // Else the path would read as a host.
    text += "/.";
  }
  text += serializePath(url);
  if (url.query !== null) text += `?${url.query}`;
  return withFragment && url.fragment !== null ? `${text}#${url.fragment}` : text;
}
