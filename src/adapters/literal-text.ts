import type { Json } from "../catalogue/json.ts";

/** An argument's name that stands without quotes. */
const BARE_NAME = /^[\p{ID_Start}_$][\p{ID_Continue}$-]*$/u;

// What a reader does not see, and what ends a line: controls, formats such as the marks that turn direction, separators, halves.
const UNSEEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;

/** A value as `parseAction` reads it back, on one line and with nothing hidden in it. */
export function literalText(value: Json): string {
  return JSON.stringify(value).replace(UNSEEN, (found) => [...unitsOf(found)].map(escapeOf).join(""));
}

/** An argument's name as it stands before its `=`. */
export function nameText(name: string): string {
  return BARE_NAME.test(name) ? name : literalText(name);
}

function unitsOf(text: string): readonly number[] {
  return Array.from({ length: text.length }, (_, index) => text.charCodeAt(index));
}

function escapeOf(unit: number): string {
  return `\\u${unit.toString(16).padStart(4, "0")}`;
}
