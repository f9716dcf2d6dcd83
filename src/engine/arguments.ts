import { measureJson } from "../bridge/measure.ts";
import { isJsonObject } from "../catalogue/json.ts";
import { OUTCOME } from "../catalogue/texts.ts";

interface ArgumentLimits {
  readonly argumentBytes: number;
  readonly depthCount: number;
}

export type EncodedArguments = { readonly json: string; readonly bytes: number } | { readonly fault: string };

/** A caller's arguments as JSON text, or the sentence that says why they are none. Reads the caller's object once. */
export function encodeArguments(args: unknown, limits: ArgumentLimits): EncodedArguments {
  const given = args ?? {};
  if (!isJsonObject(given)) return { fault: OUTCOME.notObject(nameOf(args)) };
  let json: string | undefined;
  try {
    json = JSON.stringify(given);
  } catch (error) {
    // Nested past what even V8's own writer walks.
    if (error instanceof RangeError && error.message.includes("call stack")) return { fault: OUTCOME.argumentDepth(limits.depthCount) };
    return { fault: OUTCOME.notJson(error instanceof Error ? (error.message.split("\n")[0] ?? "") : "it cannot be read") };
  }
  // An object's own `toJSON` may have made something else of it.
  if (json === undefined || !json.startsWith("{")) return { fault: OUTCOME.notObject("what its `toJSON` returns") };
  const bytes = Buffer.byteLength(json);
  if (bytes > limits.argumentBytes) return { fault: OUTCOME.argumentBytes(bytes, limits.argumentBytes) };
  if (measureJson(json, { depth: limits.depthCount, values: Infinity }).depth > limits.depthCount)
    return { fault: OUTCOME.argumentDepth(limits.depthCount) };
  if (json.includes('"__proto__"') && hasProtoKey(JSON.parse(json))) return { fault: OUTCOME.protoKey };
  return { json, bytes };
}

function nameOf(args: unknown): string {
  if (args === null) return "null";
  return Array.isArray(args) ? "an array" : `a ${typeof args}`;
}

function hasProtoKey(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  return Object.hasOwn(value, "__proto__") || Object.values(value).some(hasProtoKey);
}
