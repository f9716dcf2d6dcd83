import type { JsonObject } from "../../catalogue/json.ts";
import { POWER } from "../../catalogue/texts.ts";
import { PowerError } from "../power.ts";
import type { Range } from "./read.ts";

/** What a request says beside its path. Each is of the type it must be of, or the request is refused: nothing is converted. */
export function readFlag(args: JsonObject, name: "isLink" | "isNew" | "isRecursive" | "isAlone"): boolean {
  const value = args[name] ?? false;
  if (typeof value !== "boolean") throw malformed(name);
  return value;
}

export function readRange(args: JsonObject): Range {
  const start = args["start"] ?? 0;
  const length = args["length"] ?? null;
  if (!isSize(start)) throw malformed("start");
  if (length !== null && !isSize(length)) throw malformed("length");
  return { start, length };
}

function isSize(value: unknown): value is number {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0;
}

function malformed(name: string): PowerError {
  return new PowerError("ERR_INVALID_ARG_TYPE", POWER.malformed(name));
}
