import { ToolError } from "toolcell/tool";
import { isJsonObject, isList, type JsonValue } from "./_json.ts";

/** As JMESPath has it: null, false, and an empty text, list or object are false; 0 is true. */
export function isTruthy(value: JsonValue): boolean {
  if (value === null || value === false || value === "") return false;
  if (isList(value)) return value.length > 0;
  return !isJsonObject(value) || Object.keys(value).length > 0;
}

export function isEqual(left: JsonValue, right: JsonValue): boolean {
  if (left === right) return true;
  if (isList(left) && isList(right))
    return left.length === right.length && left.every((item, index) => isEqual(item, right[index] ?? null));
  if (!isJsonObject(left) || !isJsonObject(right)) return false;
  const keys = Object.keys(left);
  return (
    keys.length === Object.keys(right).length &&
    keys.every((key) => Object.hasOwn(right, key) && isEqual(left[key] ?? null, right[key] ?? null))
  );
}

/** Numbers with numbers; texts too, which is how dates in ISO form compare. Anything else has no order: null. */
export function compareAs(name: "GT" | "GTE" | "LT" | "LTE", left: JsonValue, right: JsonValue): boolean | null {
  const areNumbers = typeof left === "number" && typeof right === "number";
  const areTexts = typeof left === "string" && typeof right === "string";
  if (!areNumbers && !areTexts) return null;
  if (name === "GT") return left > right;
  if (name === "GTE") return left >= right;
  return name === "LT" ? left < right : left <= right;
}

export function toArithmetic(operator: string, left: JsonValue, right: JsonValue): number {
  if (typeof left !== "number" || typeof right !== "number")
    throw new ToolError(
      '"query" calculates with something that is no number. Convert it with to_number(), or filter such values out first.',
    );
  if (operator === "Plus") return left + right;
  if (operator === "Minus") return left - right;
  if (operator === "Multiply" || operator === "Star") return left * right;
  if (right === 0) throw new ToolError('"query" divides by zero. Filter such values out first.');
  if (operator === "Divide") return left / right;
  return operator === "Div" ? Math.floor(left / right) : left % right;
}

interface Slice {
  readonly start: number | null;
  readonly stop: number | null;
  readonly step: number | null;
}

/** As Python slices: negative bounds count from the end, a negative step walks backwards. */
export function slice(value: JsonValue, bounds: Slice): JsonValue {
  if (typeof value === "string") return sliceItems(Array.from(value), bounds).join("");
  return isList(value) ? sliceItems(value, bounds) : null;
}

function sliceItems<Item>(items: readonly Item[], { start, stop, step: wantedStep }: Slice): Item[] {
  const step = wantedStep ?? 1;
  if (step === 0) throw new ToolError('"query" has a slice whose step is 0. Use 1, or -1 to go backwards.');
  const [least, most] = step > 0 ? [0, items.length] : [-1, items.length - 1];
  const bound = (given: number | null, otherwise: number): number =>
    given === null ? otherwise : Math.min(Math.max(given < 0 ? given + items.length : given, least), most);
  const end = bound(stop, step > 0 ? most : least);
  const taken: Item[] = [];
  for (let at = bound(start, step > 0 ? least : most); step > 0 ? at < end : at > end; at += step) taken.push(...items.slice(at, at + 1));
  return taken;
}
