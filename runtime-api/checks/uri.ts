import { isIpv6 } from "./address.ts";

// RFC 3986 and, for what is not ASCII, RFC 3987. Each part is cut out by its first delimiter and looked at once.

const SCHEME = /^[A-Za-z][A-Za-z0-9+.-]*$/;
const PORT = /^\d*$/;
const FUTURE = /^[Vv][0-9A-Fa-f]+\.[A-Za-z0-9\-._~!$&'()*+,;=:]+$/;
const PERCENT = /%[0-9A-Fa-f]{2}/g;

const ALWAYS = String.raw`A-Za-z0-9\-._~!$&'()*+,;=`;
const UCS = [
  String.raw`\u00a0-\ud7ff\uf900-\ufdcf\ufdf0-\uffef`,
  ...Array.from({ length: 14 }, (_, index) => toRange(index + 1, index === 13 ? 0x1000 : 0)),
].join("");
const PRIVATE = String.raw`\ue000-\uf8ff\u{f0000}-\u{ffffd}\u{100000}-\u{10fffd}`;

interface Alphabet {
  readonly user: RegExp;
  readonly name: RegExp;
  readonly path: RegExp;
  readonly query: RegExp;
  readonly fragment: RegExp;
}
const ASCII = createAlphabet("", "");
const INTERNATIONAL = createAlphabet(UCS, PRIVATE);

export function isUri(text: string): boolean {
  return isReference(text, ASCII, true);
}

export function isUriReference(text: string): boolean {
  return isReference(text, ASCII, false);
}

export function isIri(text: string): boolean {
  return isReference(text, INTERNATIONAL, true);
}

export function isIriReference(text: string): boolean {
  return isReference(text, INTERNATIONAL, false);
}

/** A web address: what `url` asks for in schemas made by hand. */
export function isUrl(text: string): boolean {
  return /^(?:https?|ftp):\/\/[^/?#]/i.test(text) && isIri(text);
}

/** A plane of the supplementary ones, without its last two code points, which are no characters. */
function toRange(plane: number, from: number): string {
  return `\\u{${(plane * 0x10000 + from).toString(16)}}-\\u{${(plane * 0x10000 + 0xfffd).toString(16)}}`;
}

function createAlphabet(more: string, moreInQuery: string): Alphabet {
  const only = (extra: string): RegExp => new RegExp(`^[${ALWAYS}${more}${extra}]*$`, "u");
  return { user: only(":"), name: only(""), path: only(":@/"), query: only(`:@/?${moreInQuery}`), fragment: only(":@/?") };
}

function isReference(text: string, alphabet: Alphabet, needsScheme: boolean): boolean {
  const [beforeFragment, fragment] = cut(text, "#");
  const [beforeQuery, query] = cut(beforeFragment, "?");
  if (!isMadeOf(alphabet.fragment, fragment ?? "") || !isMadeOf(alphabet.query, query ?? "")) return false;
  const colon = beforeQuery.indexOf(":");
  const slash = beforeQuery.indexOf("/");
  // A colon in the first part of a path would make a scheme of what stands before it.
  const hasScheme = colon !== -1 && (slash === -1 || colon < slash);
  if (hasScheme ? !SCHEME.test(beforeQuery.slice(0, colon)) : needsScheme) return false;
  return isHierarchy(hasScheme ? beforeQuery.slice(colon + 1) : beforeQuery, alphabet);
}

function isHierarchy(text: string, alphabet: Alphabet): boolean {
  if (!text.startsWith("//")) return isMadeOf(alphabet.path, text);
  const slash = text.indexOf("/", 2);
  const end = slash === -1 ? text.length : slash;
  return isAuthority(text.slice(2, end), alphabet) && isMadeOf(alphabet.path, text.slice(end));
}

function isAuthority(text: string, alphabet: Alphabet): boolean {
  const at = text.lastIndexOf("@");
  if (at !== -1 && !isMadeOf(alphabet.user, text.slice(0, at))) return false;
  const host = text.slice(at + 1);
  if (!host.startsWith("[")) {
    const [name, port] = cut(host, ":");
    return isMadeOf(alphabet.name, name) && PORT.test(port ?? "");
  }
  const close = host.indexOf("]");
  if (close === -1) return false;
  const [literal, rest] = [host.slice(1, close), host.slice(close + 1)];
  return (isIpv6(literal) || FUTURE.test(literal)) && (rest === "" || (rest.startsWith(":") && PORT.test(rest.slice(1))));
}

function cut(text: string, delimiter: string): readonly [string, string | null] {
  const at = text.indexOf(delimiter);
  return at === -1 ? [text, null] : [text.slice(0, at), text.slice(at + 1)];
}

function isMadeOf(characters: RegExp, text: string): boolean {
  return characters.test(text.replaceAll(PERCENT, ""));
}
