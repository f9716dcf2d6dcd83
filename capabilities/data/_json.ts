import { ToolError } from "toolcell/tool";

export type JsonValue = null | boolean | number | string | readonly JsonValue[] | JsonObject;
export interface JsonObject {
  readonly [key: string]: JsonValue;
}

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Array.isArray, which does not know readonly arrays. */
export function isList(value: unknown): value is readonly JsonValue[] {
  return Array.isArray(value);
}

const MOST_VALUES = 500_000;
const MOST_CHARACTERS = 3_000_000;
const DEEPEST = 500;

/** JSON text. A value that stands in it a million times, or is nested without end, is refused before it is written out. */
export function toBoundedJson(value: JsonValue, indent?: number): string {
  measure(value, { values: MOST_VALUES, characters: MOST_CHARACTERS }, 0);
  return JSON.stringify(value, null, indent);
}

function measure(value: JsonValue, room: { values: number; characters: number }, depth: number): void {
  room.values -= 1;
  if (typeof value === "string") room.characters -= value.length;
  if (room.values < 0 || room.characters < 0 || depth > DEEPEST) {
    throw new ToolError('The result of "query" is too large. Pick fewer fields, or take a slice such as [0:100].');
  }
  if (isList(value)) for (const item of value) measure(item, room, depth + 1);
  else if (isJsonObject(value)) {
    for (const [key, item] of Object.entries(value)) {
      room.characters -= key.length;
      measure(item, room, depth + 1);
    }
  }
}
