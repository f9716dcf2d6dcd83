import { isJsonObject, type Json } from "../../catalogue/json.ts";
import { SECRETS } from "../../catalogue/texts.ts";
import type { SecretMask } from "../network/secret-injector.ts";
import type { Form } from "./forms.ts";

/** The text with every form of a secret replaced by its name. */
export function maskText(text: string, forms: readonly Form[]): string {
  const found = spans(forms, (form, from) => text.indexOf(form.text, from), textLength);
  if (found.length === 0) return text;
  let masked = "";
  let done = 0;
  for (const { start, end, name } of found) {
    masked += text.slice(done, start) + SECRETS.masked(name);
    done = end;
  }
  return masked + text.slice(done);
}

/** The value with every string in it masked, keys too, and every number that is a secret's digits. */
export function maskJson(value: Json, forms: readonly Form[]): Json {
  if (forms.length === 0) return value;
  if (typeof value === "string") return maskText(value, forms);
  if (typeof value === "number") {
    const masked = maskText(String(value), forms);
    return masked === String(value) ? value : masked;
  }
  if (Array.isArray(value)) return (value as readonly Json[]).map((item) => maskJson(item, forms));
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [maskText(key, forms), maskJson(item, forms)]));
}

/**
 * Masks a stream of chunks. What may be the beginning of a secret is held back until the next chunk tells, so that one that is
 * split over chunks is found too. The forms are looked up for every chunk: a secret may be used while an answer is under way.
 */
export function createStreamMask(forms: () => readonly Form[]): SecretMask {
  let held: Buffer = Buffer.alloc(0);
  return {
    push(chunk) {
      const known = forms();
      if (known.length === 0 && held.length === 0) return chunk;
      const bytes = held.length === 0 ? chunk : Buffer.concat([held, chunk]);
      const { masked, done } = maskUpTo(bytes, beginningAt(bytes, known), known);
      // A copy: what is held is a few bytes, and the chunk need not stay in memory for them.
      held = Buffer.from(bytes.subarray(done));
      return masked;
    },
    end() {
      const { masked } = maskUpTo(held, held.length, forms());
      held = Buffer.alloc(0);
      return masked;
    },
  };
}

interface Span {
  readonly start: number;
  end: number;
  readonly name: string;
}

// Everything before `limit`, and what of a secret that begins before it reaches further.
function maskUpTo(bytes: Buffer, limit: number, forms: readonly Form[]): { readonly masked: Buffer; readonly done: number } {
  const parts: Buffer[] = [];
  let done = 0;
  for (const { start, end, name } of spans(forms, (form, from) => bytes.indexOf(form.bytes, from), bytesLength)) {
    if (start >= limit) break;
    parts.push(bytes.subarray(done, start), Buffer.from(SECRETS.masked(name)));
    done = end;
  }
  if (done < limit) parts.push(bytes.subarray(done, limit));
  const [only] = parts;
  return { masked: parts.length === 1 && only !== undefined ? only : Buffer.concat(parts), done: Math.max(done, limit) };
}

// Where the last bytes begin that are the beginning of some form but not the whole of it; the length where there are none.
function beginningAt(bytes: Buffer, forms: readonly Form[]): number {
  const longest = forms.reduce((most, form) => Math.max(most, form.bytes.length), 0);
  for (let at = Math.max(0, bytes.length - longest + 1); at < bytes.length; at += 1) {
    const length = bytes.length - at;
    const isBeginning = forms.some(
      (form) => form.bytes.length > length && form.bytes[0] === bytes[at] && form.bytes.compare(bytes, at, bytes.length, 0, length) === 0,
    );
    if (isBeginning) return at;
  }
  return bytes.length;
}

// Where secrets stand, in order; what overlaps is one span, named after the first.
function spans(forms: readonly Form[], indexOf: (form: Form, from: number) => number, lengthOf: (form: Form) => number): readonly Span[] {
  const found: Span[] = [];
  for (const form of forms) {
    let last: Span | null = null;
    for (let at = indexOf(form, 0); at >= 0; at = indexOf(form, at + 1)) {
      const end: number = at + lengthOf(form);
      if (last !== null && at <= last.end) last.end = end;
      else found.push((last = { start: at, end, name: form.name }));
    }
  }
  const merged: Span[] = [];
  for (const span of found.sort((a, b) => a.start - b.start || b.end - a.end)) {
    const before = merged.at(-1);
    if (before !== undefined && span.start < before.end) before.end = Math.max(before.end, span.end);
    else merged.push(span);
  }
  return merged;
}

function textLength({ text }: Form): number {
  return text.length;
}

function bytesLength({ bytes }: Form): number {
  return bytes.length;
}
