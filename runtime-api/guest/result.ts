import { FROM_CELL, type GuestLimits } from "../../src/bridge/messages.ts";
import { GUEST, IMAGES } from "../../src/catalogue/texts.ts";
import { bareArray, isArray, slice, toJson } from "./intrinsics.ts";
import { shown } from "./paths.ts";
import { NotJson, payloadJson, utf8Bytes, type Bounds } from "./payload.ts";

// A text this many times over its limit is refused unread: reading it would cost more memory than a cell has.
const TEXT_REACH = 8;
const NO_IMAGES: readonly string[] = bareArray();

/** What a call's result crosses as: a RESULT, or a RESULT_TEXT where it is a text and nothing else. */
export interface ResultMessage {
  readonly type: typeof FROM_CELL.RESULT | typeof FROM_CELL.RESULT_TEXT;
  readonly body: string;
}

/**
 * The message of what a tool returned; a RESULT's body is a ResultHead, a line feed, the payload's JSON. Throws NotJson, or
 * whatever the value's own getters and traps throw, for a value that can be no result.
 */
export function resultMessage(value: unknown, limits: GuestLimits): ResultMessage {
  const bounds = { bytes: limits.resultBytes, depth: limits.depthCount, values: limits.valueCount };
  if (value === undefined || value === null) return message("", null, NO_IMAGES, "null", bounds);
  if (typeof value === "string") return message(value, null, NO_IMAGES, "null", bounds);
  if (typeof value === "object" && typeof (value as { text?: unknown }).text === "string")
    return toolResult(value, limits.imageCount, bounds);
  const json = payloadJson(value, bounds);
  return message(json, null, NO_IMAGES, json, bounds);
}

interface LooseResult {
  readonly text?: unknown;
  readonly summary?: unknown;
  readonly payload?: unknown;
  readonly images?: unknown;
}

function toolResult(value: LooseResult, imageCount: number, bounds: Bounds): ResultMessage {
  const { text, summary, payload, images } = value;
  if (typeof text !== "string") throw new NotJson(GUEST.textNotString);
  if (summary !== undefined && summary !== null && typeof summary !== "string") throw new NotJson(GUEST.summaryNotString);
  const json = payload === undefined ? "null" : payloadJson(payload, bounds);
  return message(text, summary ?? null, imageTexts(images, imageCount, bounds), json, bounds);
}

function imageTexts(images: unknown, imageCount: number, bounds: Bounds): readonly string[] {
  if (images === undefined || images === null) return NO_IMAGES;
  const texts: string[] = bareArray();
  if (!isArray(images)) throw new NotJson(GUEST.imagesNotArray);
  if (images.length > imageCount) throw new NotJson(IMAGES.tooMany(images.length, imageCount));
  for (let index = 0; index < images.length; index += 1) texts[index] = imageText(images[index], index, bounds);
  return texts;
}

function imageText(image: unknown, index: number, bounds: Bounds): string {
  if (typeof image !== "object" || image === null) throw new NotJson(GUEST.imageMalformed(index));
  const { mediaType, media_type: snakeType, data, forOwner } = image as Record<string, unknown>;
  const type = mediaType ?? snakeType;
  if (typeof type !== "string" || typeof data !== "string") throw new NotJson(GUEST.imageMalformed(index));
  if (data.length + type.length > bounds.bytes) throw new NotJson(GUEST.tooLarge);
  return `{"mediaType":${toJson(type)},"data":${toJson(data)},"forOwner":${forOwner === true ? "true" : "false"}}`;
}

function message(text: string, summary: string | null, images: readonly string[], payload: string, bounds: Bounds): ResultMessage {
  const whole = shown(text);
  const kept = keptText(whole, bounds.bytes);
  if (summary === null && images === NO_IMAGES && payload === "null" && kept === whole) return { type: FROM_CELL.RESULT_TEXT, body: kept };
  let list = "";
  for (let index = 0; index < images.length; index += 1) list += index === 0 ? images[index] : `,${images[index]}`;
  if (list.length > bounds.bytes) throw new NotJson(GUEST.tooLarge);
  const left = whole.length - kept.length;
  const line = summary === null ? "null" : toJson(slice(shown(summary), 0, bounds.bytes));
  return { type: FROM_CELL.RESULT, body: `{"text":${toJson(kept)},"summary":${line},"images":[${list}],"left":${left}}\n${payload}` };
}

// What crosses of a text over the limit: its head and its tail, in the shares that the host's own trimming has.
function keptText(text: string, bytes: number): string {
  if (text.length * 3 <= bytes) return text;
  if (text.length > bytes * TEXT_REACH) throw new NotJson(GUEST.textTooLarge(text.length, bytes));
  const whole = utf8Bytes(text);
  if (whole <= bytes) return text;
  const chars = ((text.length * bytes) / whole) | 0;
  const head = (chars * 0.65) | 0;
  return slice(text, 0, head) + slice(text, text.length - (chars - head));
}
