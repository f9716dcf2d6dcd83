import { bareArray } from "../../intrinsics.ts";
import { isSpecial, type UrlRecord } from "./record.ts";

/** The states of the basic URL parser (URL Standard, 4.4). Those that a setter begins with are exported by name. */
export const STATE = {
  DONE: -1,
  FAILED: -2,
  SCHEME_START: 1,
  SCHEME: 2,
  NO_SCHEME: 3,
  SPECIAL_RELATIVE_OR_AUTHORITY: 4,
  PATH_OR_AUTHORITY: 5,
  RELATIVE: 6,
  RELATIVE_SLASH: 7,
  SPECIAL_AUTHORITY_SLASHES: 8,
  SPECIAL_AUTHORITY_IGNORE_SLASHES: 9,
  AUTHORITY: 10,
  HOST: 11,
  HOSTNAME: 12,
  PORT: 13,
  FILE: 14,
  FILE_SLASH: 15,
  FILE_HOST: 16,
  PATH_START: 17,
  PATH: 18,
  OPAQUE_PATH: 19,
  QUERY: 20,
  FRAGMENT: 21,
} as const;
export type State = (typeof STATE)[keyof typeof STATE];

/** One run of the parser. Each state reads at `at` and says which state is next; the character there is taken unless `at` is set back. */
export interface Parsing {
  readonly input: string;
  readonly url: UrlRecord;
  readonly base: UrlRecord | null;
  /** The state that a setter begins with, or null for a whole URL. */
  readonly override: State | null;
  at: number;
  buffer: string;
  hasSeenAt: boolean;
  isInBrackets: boolean;
  hasSeenPassword: boolean;
}

export const END = -1;
export const SLASH = 0x2f;
export const BACKSLASH = 0x5c;
export const COLON = 0x3a;
export const QUESTION = 0x3f;
export const HASH = 0x23;

/** Reads the same character once more, in another state. */
export function again(parsing: Parsing, state: State): State {
  parsing.at -= 1;
  return state;
}

/** Begins the query or the fragment, where this character does. */
export function beginQueryOrFragment({ url }: Parsing, unit: number): State | null {
  if (unit === QUESTION) {
    url.query = "";
    return STATE.QUERY;
  }
  if (unit !== HASH) return null;
  url.fragment = "";
  return STATE.FRAGMENT;
}

/** Whether the authority ends here. */
export function endsAuthority(url: UrlRecord, unit: number): boolean {
  return unit === END || unit === SLASH || unit === QUESTION || unit === HASH || (unit === BACKSLASH && isSpecial(url));
}

/** A copy that can be changed. */
export function copyPath(path: string | readonly string[]): string | string[] {
  if (typeof path === "string") return path;
  const copy: string[] = bareArray();
  for (let at = 0; at < path.length; at += 1) copy[at] = path[at] as string;
  return copy;
}

export function isAlpha(unit: number): boolean {
  return (unit | 0x20) >= 0x61 && (unit | 0x20) <= 0x7a;
}
