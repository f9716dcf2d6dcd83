import { isJsonObject } from "../catalogue/json.ts";
import { measureJson } from "./measure.ts";
import {
  FAILURE_KINDS,
  LOG_LEVELS,
  POWERS,
  type FailureBody,
  type LimitBody,
  type LogLevel,
  type PowerBody,
  type ResultHead,
  type ResultImage,
} from "./messages.ts";

/** A body that fits no message of the bridge. The cell that sent it is not ours any more. */
export class BridgeError extends Error {
  override readonly name = "BridgeError";
}

export interface ParsedResult {
  readonly head: ResultHead;
  readonly payload: unknown;
}

const LINE_FEED = 0x0a;
const IMAGE_COUNT_MAX = 1024;
const NO_IMAGES: readonly ResultImage[] = [];

/** RESULT. The payload is measured as bytes before it is parsed: its depth and its count of values cost the host, not the cell. */
export function parseResult(body: Buffer, bounds: { readonly depthCount: number; readonly valueCount: number }): ParsedResult {
  const end = body.indexOf(LINE_FEED);
  if (end < 0) throw new BridgeError("RESULT has no payload line");
  const head = parseJson(body.toString("utf8", 0, end));
  if (!isJsonObject(head)) throw new BridgeError("RESULT is no object");
  const { text, summary, images, left } = head;
  if (typeof text !== "string" || (summary !== null && typeof summary !== "string")) throw new BridgeError("RESULT has no text");
  if (typeof left !== "number" || !Number.isSafeInteger(left) || left < 0) throw new BridgeError("RESULT counts wrongly");
  if (!Array.isArray(images) || images.length > IMAGE_COUNT_MAX || !images.every(isResultImage))
    throw new BridgeError("RESULT has no images");
  // Most results have no payload.
  const payload =
    body.length === end + 5 && body.toString("latin1", end + 1) === "null" ? null : parsePayload(body.toString("utf8", end + 1), bounds);
  return { head: { text, summary, images, left }, payload };
}

/** RESULT_TEXT */
export function parseResultText(body: Buffer): ParsedResult {
  return { head: { text: body.toString("utf8"), summary: null, images: NO_IMAGES, left: 0 }, payload: null };
}

/** PREPARED, and LOADED, which says nothing. */
export function parsePrepared(body: Buffer): boolean {
  return body.length === 4 && body.toString("latin1") === "true";
}

/** FAILURE */
export function parseFailure(body: Buffer): FailureBody {
  const value = parseJson(body);
  if (!isJsonObject(value)) throw new BridgeError("FAILURE is no object");
  const { kind, message, retryable, stack } = value;
  const known = FAILURE_KINDS.find((name) => name === kind);
  if (
    known === undefined ||
    typeof message !== "string" ||
    typeof retryable !== "boolean" ||
    (stack !== null && typeof stack !== "string")
  ) {
    throw new BridgeError("FAILURE is malformed");
  }
  return { kind: known, message, retryable, stack };
}

/** PROGRESS */
export function parseProgress(body: Buffer): { readonly fraction: number | null; readonly detail: string } {
  const value = parseJson(body);
  if (!Array.isArray(value)) throw new BridgeError("PROGRESS is no pair");
  const [fraction, detail] = value as unknown[];
  if ((fraction !== null && !isShare(fraction)) || typeof detail !== "string") throw new BridgeError("PROGRESS is malformed");
  return { fraction, detail };
}

/** LOG */
export function parseLog(body: Buffer): { readonly level: LogLevel; readonly message: string } {
  const value = parseJson(body);
  if (!Array.isArray(value)) throw new BridgeError("LOG is no pair");
  const [level, message] = value as unknown[];
  const known = LOG_LEVELS.find((name) => name === level);
  if (known === undefined || typeof message !== "string") throw new BridgeError("LOG is malformed");
  return { level: known, message };
}

/** POWER and POWER_BYTES */
export function parsePower(body: Buffer, hasBytes: boolean): PowerBody & { readonly bytes: Buffer | null } {
  const end = hasBytes ? body.indexOf(LINE_FEED) : body.length;
  if (end < 0) throw new BridgeError("POWER_BYTES has no line of its own");
  const value = parseJson(body.subarray(0, end));
  if (!isJsonObject(value)) throw new BridgeError("POWER is no object");
  const { id, power, op, args } = value;
  const known = POWERS.find((name) => name === power);
  if (typeof id !== "number" || known === undefined || typeof op !== "string" || !isJsonObject(args))
    throw new BridgeError("POWER is malformed");
  return { id, power: known, op, args, bytes: hasBytes ? body.subarray(end + 1) : null };
}

/** LIMIT */
export function parseLimit(body: Buffer): LimitBody {
  const value = parseJson(body);
  if (!isJsonObject(value)) throw new BridgeError("LIMIT is no object");
  const { limit, stopped } = value;
  if ((limit !== "cpu" && limit !== "memory") || typeof stopped !== "boolean") throw new BridgeError("LIMIT is malformed");
  return { limit, stopped };
}

function parsePayload(json: string, { depthCount, valueCount }: { readonly depthCount: number; readonly valueCount: number }): unknown {
  // A value that is a parent counts twice in the measure: by its bracket and by its comma.
  const bounds = { depth: depthCount, values: valueCount * 2 };
  const { depth, values } = measureJson(json, bounds);
  if (depth > bounds.depth || values > bounds.values) throw new BridgeError("A payload is too deep or holds too many values");
  return LONE_SURROGATE.test(json) ? parseJson(json, (_key, value: unknown) => toWellFormed(value)) : parseJson(json);
}

// JSON.stringify escapes half characters, and only those, of this range; no API of a model takes them.
const LONE_SURROGATE = /\\ud[89a-f]/iu;

function toWellFormed(value: unknown): unknown {
  if (typeof value === "string") return value.toWellFormed();
  if (!isJsonObject(value) || Object.keys(value).every((key) => key.isWellFormed())) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key.toWellFormed(), item]));
}

function parseJson(body: Buffer | string, revive?: (key: string, value: unknown) => unknown): unknown {
  try {
    return JSON.parse(body.toString(), revive);
  } catch (cause) {
    throw new BridgeError("A body is no JSON", { cause });
  }
}

function isShare(value: unknown): value is number {
  return typeof value === "number" && value >= 0 && value <= 1;
}

function isResultImage(value: unknown): value is ResultImage {
  return (
    isJsonObject(value) &&
    typeof value["mediaType"] === "string" &&
    typeof value["data"] === "string" &&
    typeof value["forOwner"] === "boolean"
  );
}
