import { ToolError } from "toolcell/tool";
import { isEqual } from "./_jmespath-values.ts";
import { isJsonObject, isList, toBoundedJson, type JsonObject, type JsonValue } from "./_json.ts";

/** What `&name` is: an expression, to be evaluated on each item. */
export type Expression = (on: JsonValue) => JsonValue;
export type Argument = JsonValue | Expression;
type JmesFunction = (args: readonly Argument[], name: string) => JsonValue;

/** JMESPath's functions. A Map, so that no name finds anything but what stands here. All take time linear in their arguments, or n log n to sort. */
export const FUNCTIONS: ReadonlyMap<string, JmesFunction> = new Map<string, JmesFunction>([
  ["abs", (args, name) => Math.abs(take(args, 0, name, number))],
  [
    "avg",
    (args, name) => {
      const values = take(args, 0, name, numbers);
      return values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0) / values.length;
    },
  ],
  ["ceil", (args, name) => Math.ceil(take(args, 0, name, number))],
  [
    "contains",
    (args, name) => {
      const [within, wanted] = [take(args, 0, name, textOrList), take(args, 1, name, any)];
      return typeof within === "string"
        ? typeof wanted === "string" && within.includes(wanted)
        : within.some((item) => isEqual(item, wanted));
    },
  ],
  ["ends_with", (args, name) => take(args, 0, name, text).endsWith(take(args, 1, name, text))],
  ["floor", (args, name) => Math.floor(take(args, 0, name, number))],
  ["from_items", (args, name) => Object.fromEntries(take(args, 0, name, list).map((pair) => toEntry(pair, name)))],
  [
    "group_by",
    (args, name) => {
      const groups = new Map<string, JsonValue[]>();
      const key = take(args, 1, name, expression);
      for (const item of take(args, 0, name, list)) {
        const found = key(item);
        const group = typeof found === "string" ? found : toBoundedJson(found);
        const members = groups.get(group);
        if (members) members.push(item);
        else groups.set(group, [item]);
      }
      return Object.fromEntries(groups);
    },
  ],
  ["items", (args, name) => Object.entries(take(args, 0, name, object))],
  [
    "join",
    (args, name) =>
      take(args, 1, name, list)
        .map((item) => (typeof item === "string" ? item : toBoundedJson(item)))
        .join(take(args, 0, name, text)),
  ],
  ["keys", (args, name) => Object.keys(take(args, 0, name, object))],
  [
    "length",
    (args, name) => {
      const value = take(args, 0, name, any);
      if (typeof value === "string") return Array.from(value).length;
      if (isList(value)) return value.length;
      return Object.keys(take(args, 0, name, object)).length;
    },
  ],
  ["lower", (args, name) => take(args, 0, name, text).toLowerCase()],
  ["map", (args, name) => take(args, 1, name, list).map(take(args, 0, name, expression))],
  ["max", (args, name) => extreme(take(args, 0, name, list), (item) => item, 1, name)],
  ["max_by", (args, name) => extreme(take(args, 0, name, list), take(args, 1, name, expression), 1, name)],
  ["merge", (args, name) => Object.fromEntries(args.flatMap((_, index) => Object.entries(take(args, index, name, object))))],
  ["min", (args, name) => extreme(take(args, 0, name, list), (item) => item, -1, name)],
  ["min_by", (args, name) => extreme(take(args, 0, name, list), take(args, 1, name, expression), -1, name)],
  ["not_null", (args, name) => args.map((_, index) => take(args, index, name, any)).find((value) => value !== null) ?? null],
  [
    "replace",
    (args, name) =>
      take(args, 0, name, text)
        .split(take(args, 1, name, text))
        .join(take(args, 2, name, text)),
  ],
  [
    "reverse",
    (args, name) => {
      const value = take(args, 0, name, textOrList);
      return typeof value === "string" ? Array.from(value).reverse().join("") : value.toReversed();
    },
  ],
  ["sort", (args, name) => sorted(take(args, 0, name, list), (item) => item, name)],
  ["sort_by", (args, name) => sorted(take(args, 0, name, list), take(args, 1, name, expression), name)],
  ["split", (args, name) => take(args, 0, name, text).split(take(args, 1, name, text))],
  ["starts_with", (args, name) => take(args, 0, name, text).startsWith(take(args, 1, name, text))],
  ["sum", (args, name) => take(args, 0, name, numbers).reduce((sum, value) => sum + value, 0)],
  [
    "to_array",
    (args, name) => {
      const value = take(args, 0, name, any);
      return isList(value) ? value : [value];
    },
  ],
  [
    "to_number",
    (args, name) => {
      const value = take(args, 0, name, any);
      const converted = typeof value === "string" && value.trim() !== "" ? Number(value) : value;
      return typeof converted === "number" && Number.isFinite(converted) ? converted : null;
    },
  ],
  [
    "to_string",
    (args, name) => {
      const value = take(args, 0, name, any);
      return typeof value === "string" ? value : toBoundedJson(value);
    },
  ],
  ["trim", (args, name) => take(args, 0, name, text).trim()],
  ["type", (args, name) => typeName(take(args, 0, name, any))],
  ["unique", (args, name) => [...new Map(take(args, 0, name, list).map((item) => [toBoundedJson(item), item])).values()]],
  ["upper", (args, name) => take(args, 0, name, text).toUpperCase()],
  ["values", (args, name) => Object.values(take(args, 0, name, object))],
  [
    "zip",
    (args, name) => {
      const lists = args.map((_, index) => take(args, index, name, list));
      const length = lists.reduce((least, { length: own }) => Math.min(least, own), lists[0]?.length ?? 0);
      return Array.from({ length }, (_, row) => lists.map((items) => items[row] ?? null));
    },
  ],
]);

interface Kind<Value> {
  readonly is: (value: Argument) => value is Value & Argument;
  readonly words: string;
}

const number: Kind<number> = { words: "a number", is: (value): value is number => typeof value === "number" };
const text: Kind<string> = { words: "a text", is: (value): value is string => typeof value === "string" };
const object: Kind<JsonObject> = { words: "an object", is: (value): value is JsonObject => isJsonObject(value) };
const list: Kind<readonly JsonValue[]> = { words: "a list", is: (value): value is readonly JsonValue[] => isList(value) };
const numbers: Kind<readonly number[]> = {
  words: "a list of numbers",
  is: (value): value is readonly number[] => isList(value) && value.every((item) => typeof item === "number"),
};
const textOrList: Kind<string | readonly JsonValue[]> = {
  words: "a text or a list",
  is: (value): value is string | readonly JsonValue[] => typeof value === "string" || isList(value),
};
const expression: Kind<Expression> = {
  words: "an expression such as &name",
  is: (value): value is Expression => typeof value === "function",
};
const any: Kind<JsonValue> = { words: "a value", is: (value): value is JsonValue => typeof value !== "function" };

function take<Value>(args: readonly Argument[], index: number, name: string, kind: Kind<Value>): Value {
  const value = args[index];
  if (value !== undefined && kind.is(value)) return value;
  const got = value === undefined ? "nothing" : typeof value === "function" ? "an expression" : typeName(value);
  throw new ToolError(`${name}() in "query" wants ${kind.words} as argument ${index + 1}, and got ${got}.`);
}

function typeName(value: JsonValue): string {
  if (value === null) return "null";
  return isList(value) ? "array" : typeof value;
}

function toEntry(pair: JsonValue, name: string): [string, JsonValue] {
  const [key, value] = isList(pair) ? pair : [];
  if (typeof key !== "string" || value === undefined)
    throw new ToolError(`${name}() in "query" wants a list of pairs such as ["key", value].`);
  return [key, value];
}

type Key = string | number;

function toKeys(items: readonly JsonValue[], by: Expression, name: string): Key[] {
  const keys = items.map(by).filter((key): key is Key => typeof key === "number" || typeof key === "string");
  const isOneType = keys.length === items.length && keys.every((key) => typeof key === typeof keys[0]);
  if (!isOneType)
    throw new ToolError(
      `${name}() in "query" wants only numbers, or only texts, to compare. Filter out the items where it is missing, such as [?name].`,
    );
  return keys;
}

function extreme(items: readonly JsonValue[], by: Expression, direction: 1 | -1, name: string): JsonValue {
  const keys = toKeys(items, by, name);
  let best = 0;
  keys.forEach((key, index) => {
    if (compare(key, keys[best] ?? key) * direction > 0) best = index;
  });
  return items[best] ?? null;
}

function sorted(items: readonly JsonValue[], by: Expression, name: string): JsonValue[] {
  const keys = toKeys(items, by, name);
  const pairs = items.map((item, index) => ({ item, key: keys[index] ?? "" }));
  return pairs.sort((a, b) => compare(a.key, b.key)).map(({ item }) => item);
}

function compare(a: Key, b: Key): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
