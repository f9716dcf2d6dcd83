import { apply, bareArray, charCodeAt, indexOf, slice } from "../intrinsics.ts";

const toLowerCase = String.prototype.toLowerCase;
const test = RegExp.prototype.test;
const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/u;
const QUOTED = /^[\t\u0020-\u007e\u0080-\u00ff]*$/u;

export interface MimeType {
  /** `type/subtype`, in lower case. */
  readonly essence: string;
  readonly parameters: readonly (readonly [name: string, value: string])[];
}

/** A MIME type (MIME Sniffing Standard, 4.4), or null where the text is none. */
export function parseMimeType(input: string): MimeType | null {
  const text = trim(input);
  const end = indexOf(text, ";");
  const essence = apply(toLowerCase, trim(slice(text, 0, end < 0 ? text.length : end)), []);
  const middle = indexOf(essence, "/");
  if (middle < 0 || !isToken(slice(essence, 0, middle)) || !isToken(slice(essence, middle + 1))) return null;
  return { essence, parameters: end < 0 ? bareArray() : readParameters(text, end + 1) };
}

export function serializeMimeType({ essence, parameters }: MimeType): string {
  let text = essence;
  for (let at = 0; at < parameters.length; at += 1) {
    const { 0: name, 1: value } = parameters[at] as readonly [string, string];
    text += `;${name}=${isToken(value) ? value : quote(value)}`;
  }
  return text;
}

export function parameterOf({ parameters }: MimeType, name: string): string | null {
  for (let at = 0; at < parameters.length; at += 1) {
    const parameter = parameters[at] as readonly [string, string];
    if (parameter[0] === name) return parameter[1];
  }
  return null;
}

function readParameters(text: string, from: number): [string, string][] {
  const parameters: [string, string][] = bareArray();
  let at = from;
  while (at < text.length) {
    while (at < text.length && isSpace(charCodeAt(text, at))) at += 1;
    const start = at;
    while (at < text.length && text[at] !== ";" && text[at] !== "=") at += 1;
    const name = apply(toLowerCase, slice(text, start, at), []);
    if (text[at] !== "=") {
      at += 1;
      continue;
    }
    at += 1;
    let value: string | null = "";
    if (text[at] === '"') {
      for (at += 1; at < text.length && text[at] !== '"'; at += 1) {
        if (text[at] === "\\" && at + 1 < text.length) at += 1;
        value += text[at];
      }
      while (at < text.length && text[at] !== ";") at += 1;
    } else {
      const begin = at;
      while (at < text.length && text[at] !== ";") at += 1;
      value = trim(slice(text, begin, at)) || null;
    }
    at += 1;
    if (value === null || !isToken(name) || !apply(test, QUOTED, [value])) continue;
    if (parameterOf({ essence: "", parameters }, name) === null) parameters[parameters.length] = [name, value];
  }
  return parameters;
}

function isToken(text: string): boolean {
  return apply(test, TOKEN, [text]);
}

function quote(text: string): string {
  let quoted = "";
  for (let at = 0; at < text.length; at += 1) quoted += text[at] === '"' || text[at] === "\\" ? `\\${text[at]}` : text[at];
  return `"${quoted}"`;
}

function trim(text: string): string {
  let from = 0;
  let end = text.length;
  while (from < end && isSpace(charCodeAt(text, from))) from += 1;
  while (end > from && isSpace(charCodeAt(text, end - 1))) end -= 1;
  return slice(text, from, end);
}

function isSpace(unit: number): boolean {
  return unit === 0x20 || unit === 0x09 || unit === 0x0a || unit === 0x0d;
}
