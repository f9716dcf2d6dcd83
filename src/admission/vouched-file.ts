import { hash } from "node:crypto";
import { readFileSync } from "node:fs";

/** A value of the cache as a text whose first line vouches for the rest: one that was cut short or written over is none. */
export function formatVouched(value: unknown): string {
  const text = JSON.stringify(value);
  return `${toHash(text)}\n${text}`;
}

/** What such a file holds, or null where there is none. */
export function readVouched(file: string): unknown {
  let stored: string;
  try {
    stored = readFileSync(file, "utf8");
  } catch {
    return null;
  }
  const end = stored.indexOf("\n");
  const text = stored.slice(end + 1);
  return end !== -1 && toHash(text) === stored.slice(0, end) ? JSON.parse(text) : null;
}

export function toHash(text: string): string {
  return hash("sha256", text);
}
