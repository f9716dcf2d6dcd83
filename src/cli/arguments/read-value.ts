import type { Json } from "../../catalogue/json.ts";
import { CLI } from "../../catalogue/texts.ts";
import { UsageError } from "../command-line.ts";
import type { JsonType, Shape } from "./shape.ts";

const INTEGER = /^[+-]?\d+$/u;
const NUMBER = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/iu;

/** A word as the value that the shape asks for. `label` is what the user called it by. Throws UsageError, naming the label. */
export function readValue(word: string, { types, values }: Shape, label: string): Json {
  if (values !== null) return readListed(word, values, label);
  if (types === null) return readOpen(word);
  if (types.has("null") && word === "null") return null;
  if (types.has("boolean") && (word === "true" || word === "false")) return word === "true";
  if ((types.has("number") || types.has("integer")) && NUMBER.test(word.trim())) {
    const value = readNumber(word.trim(), types, label);
    if (value !== null) return value;
  }
  if ((types.has("object") && startsWith("{", word)) || (types.has("array") && startsWith("[", word))) {
    const value = parse(word, label, types.has("string"));
    if (value !== null) return value;
  }
  if (types.has("string")) return word;
  throw new UsageError(isOnly(types, "object") ? CLI.wantsObject(label) : CLI.wrongType(label, wanted(types), word));
}

function readListed(word: string, values: readonly Json[], label: string): Json {
  if (values.includes(word)) return word;
  const other = values.find((value) => typeof value !== "string" && JSON.stringify(value) === compact(word));
  if (other === undefined)
    throw new UsageError(
      CLI.notListed(
        label,
        values.map((value) => JSON.stringify(value)),
        word,
      ),
    );
  return other;
}

/** Null where it is no integer, but may be a text. */
function readNumber(word: string, types: ReadonlySet<JsonType>, label: string): number | null {
  const value = Number(word);
  const isExact = INTEGER.test(word) ? Number.isSafeInteger(value) : Number.isFinite(value);
  const fits = isExact && (types.has("number") || Number.isInteger(value));
  if (fits) return value;
  if (types.has("string")) return null;
  throw new UsageError(isExact ? CLI.wrongType(label, wanted(types), word) : CLI.inexact(label, word));
}

function parse(word: string, label: string, mayBeText: boolean): Json | null {
  try {
    return JSON.parse(word) as Json;
  } catch (error) {
    if (mayBeText) return null;
    throw new UsageError(CLI.badJsonOf(label, error instanceof Error ? error.message : ""), { cause: error });
  }
}

// Where a schema leaves it open: JSON where it is JSON, else text.
function readOpen(word: string): Json {
  try {
    const value = JSON.parse(word) as Json;
    // Digits that a number would not keep stay the text that they are.
    return typeof value === "number" && INTEGER.test(word) && !Number.isSafeInteger(value) ? word : value;
  } catch {
    return word;
  }
}

function compact(word: string): string {
  try {
    return JSON.stringify(JSON.parse(word));
  } catch {
    return word;
  }
}

function wanted(types: ReadonlySet<JsonType>): readonly JsonType[] {
  return [...types].filter((type) => type !== "integer" || !types.has("number"));
}

function isOnly(types: ReadonlySet<JsonType>, type: JsonType): boolean {
  return types.has(type) && [...types].every((other) => other === type || other === "null");
}

function startsWith(bracket: string, word: string): boolean {
  return word.trimStart().startsWith(bracket);
}
