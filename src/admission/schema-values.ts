import { isJsonObject, type Json } from "../catalogue/json.ts";
import { ADMISSION } from "../catalogue/texts.ts";
import { FileFault } from "./faults.ts";
import { nearest } from "./nearest.ts";
import { FORMATS } from "./schema-formats.ts";
import type { ValueKind } from "./schema-keywords.ts";
import { quotable } from "./visible-text.ts";

const TYPES: readonly string[] = ["string", "number", "integer", "boolean", "object", "array", "null"];
const ANCHOR = /^[A-Za-z_][-A-Za-z0-9._]*$/;

/** Throws FileFault where a keyword's value is not of its kind; `at` says where the schema stands. */
export function assertKeywordValue(kind: ValueKind, key: string, value: Json, at: string): void {
  const wanted = toWanted(kind, value);
  if (wanted !== null) throw new FileFault(ADMISSION.schemaValue(at, key, quotable(JSON.stringify(value)), wanted));
  if (typeof value !== "string") return;
  if (kind === "pattern") assertPattern(value, at);
  if (kind === "format" && !FORMATS.has(value)) {
    throw new FileFault(ADMISSION.schemaFormat(at, quotable(value), nearest(value, FORMATS.keys())));
  }
}

export function assertPattern(pattern: string, at: string): void {
  try {
    RegExp(pattern, "u");
  } catch (error) {
    const why = error instanceof Error ? error.message.replace(/^Invalid regular expression: [\s\S]*: /, "") : "not valid";
    throw new FileFault(ADMISSION.schemaPattern(at, quotable(pattern), why));
  }
}

/** What the value has to be, where it is not. */
function toWanted(kind: ValueKind, value: Json): string | null {
  switch (kind) {
    case "type":
      return isType(value) ? null : `one of ${TYPES.join(", ")}, or a list of them`;
    case "number":
      return typeof value === "number" ? null : "a number";
    case "positive number":
      return typeof value === "number" && value > 0 ? null : "a number above 0";
    case "count":
      return Number.isInteger(value) && Number(value) >= 0 ? null : "a whole number, 0 or more";
    case "boolean":
      return typeof value === "boolean" ? null : "true or false";
    case "string":
    case "pattern":
    case "format":
      return typeof value === "string" ? null : "a string";
    case "list":
      return Array.isArray(value) ? null : "a list";
    case "list of names":
      return isNames(value) ? null : "a list of names, each once";
    case "lists of names":
      return isJsonObject(value) && Object.values(value).every(isNames) ? null : "an object of lists of names, each once";
    case "anchor":
      return typeof value === "string" && ANCHOR.test(value) ? null : "a letter or _ and then letters, digits, -, . and _";
    case "any":
      return null;
  }
}

function isType(value: Json): boolean {
  const types: readonly Json[] = Array.isArray(value) ? value : [value];
  return types.length > 0 && isNames(types) && types.every((type) => typeof type === "string" && TYPES.includes(type));
}

function isNames(value: Json): boolean {
  return Array.isArray(value) && value.every((name) => typeof name === "string") && new Set(value).size === value.length;
}
