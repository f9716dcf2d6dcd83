import { FROM_CELL, type AnswerBody, type PowerName } from "../../src/bridge/messages.ts";
import { GUEST } from "../../src/catalogue/texts.ts";
import type { Call } from "./call.ts";
import { utf8Length } from "./web/utf8.ts";
import {
  GuestError,
  GuestMap,
  GuestPromise,
  apply,
  charCodeAt,
  define,
  fromCharCodes,
  indexOf,
  mapDelete,
  mapForEach,
  mapGet,
  mapSet,
  mapSize,
  numberText,
  parseJson,
  slice,
  toJson,
} from "./intrinsics.ts";
import { post } from "./outbox.ts";

/** What the host gave back: a value, and the bytes that came with it as a Latin-1 text. */
export interface PowerReply {
  readonly value: unknown;
  readonly bytes: string | null;
}

interface Waiting {
  readonly call: Call;
  resolve(reply: PowerReply): void;
  reject(error: unknown): void;
}

/** A refusal of the host's. Its brand decides the outcome's code where the tool does not catch it. */
export class PowerError extends Error {
  override readonly name: string = "PowerError";
  readonly code: string;
  readonly #told: { readonly code: string; readonly message: string };

  constructor(code: string, message: string) {
    super(message);
    this.code = code;
    this.#told = { code, message };
  }

  /** What the host said, or null for any other value. */
  static told(value: unknown): { readonly code: string; readonly message: string } | null {
    return typeof value === "object" && value !== null && #told in value ? value.#told : null;
  }
}

// The bridge leaves room for a head of this size beside the bytes; a larger one, such as a URL of megabytes, counts with them.
const SMALL_HEAD_BYTES = 60 * 1024;

const waiting = new GuestMap<number, Waiting>();
let lastId = 0;

/**
 * Asks the host to do something for a call. The promise settles when the answer comes; it never does when the call
 * has ended before. Rejects with PowerError.
 */
export function requestPower(
  call: Call | undefined,
  power: PowerName,
  op: string,
  args: object,
  bytes: string | null = null,
): Promise<PowerReply> {
  return new GuestPromise<PowerReply>((resolve, reject) => {
    if (call === undefined || call.isEnded) throw new GuestError(GUEST.callEnded);
    // While a module is loaded there is no call yet that the host could answer.
    if (call.context.callId === "") throw new GuestError(GUEST.powersInModule);
    if (mapSize(waiting) >= call.limits.powerInFlightCount)
      throw new PowerError("POWER_LIMIT", GUEST.powersInFlight(call.limits.powerInFlightCount));
    // Refused here, in words that can be caught: one that reached the bridge would end the cell.
    if (bytes !== null && bytes.length > call.limits.powerBytes)
      throw new PowerError("POWER_LIMIT", GUEST.powerBytes(call.limits.powerBytes));
    lastId += 1;
    const json = `{"id":${lastId},"power":"${power}","op":${toJson(op)},"args":${toJson(args)}}`;
    const head = bytes === null ? json : ascii(json);
    const headBytes = utf8Length(head);
    if (headBytes > SMALL_HEAD_BYTES && headBytes + (bytes?.length ?? 0) > call.limits.powerBytes)
      throw new PowerError("POWER_LIMIT", GUEST.powerBytes(call.limits.powerBytes));
    mapSet(waiting, lastId, { call, resolve, reject });
    if (bytes === null) post(FROM_CELL.POWER, call.number, head);
    else post(FROM_CELL.POWER_BYTES, call.number, `${head}\n${bytes}`);
  });
}

/** Takes an ANSWER or an ANSWER_BYTES in. One whose call has ended finds nobody. */
export function takeAnswer(body: string, hasBytes: boolean): void {
  const end = hasBytes ? indexOf(body, "\n") : body.length;
  const answer = parseJson(slice(body, 0, end)) as AnswerBody;
  const asked = mapGet(waiting, answer.id);
  if (asked === undefined) return;
  mapDelete(waiting, answer.id);
  if (answer.ok) asked.resolve({ value: answer.value, bytes: hasBytes ? slice(body, end + 1) : null });
  else asked.reject(powerError(answer.code, answer.message));
}

/** Forgets what a call that has ended still waits for. */
export function dropRequestsOf(call: Call): void {
  if (mapSize(waiting) === 0) return;
  mapForEach(waiting, (asked, id) => {
    if ((asked as Waiting).call === call) mapDelete(waiting, id);
  });
}

// Node's words for what a file system refuses are properties that its callers look at.
function powerError(code: string, message: string): Error {
  if (code === "PERMISSION_DENIED" || code === "POWER_LIMIT") return new PowerError(code, message);
  const error = new GuestError(message);
  define(error, "code", code);
  return error;
}

const CHUNK = 8192;

/** Bytes as a text of one character each. */
export function latin1(bytes: Uint8Array): string {
  let text = "";
  for (let at = 0; at < bytes.length; at += CHUNK)
    text += apply(fromCharCodes, null, bytes.subarray(at, at + CHUNK) as unknown as number[]);
  return text;
}

// JSON with everything past ASCII escaped: the line before the bytes is read as Latin-1.
function ascii(json: string): string {
  let text = "";
  let from = 0;
  for (let at = 0; at < json.length; at += 1) {
    const unit = charCodeAt(json, at);
    if (unit < 0x80) continue;
    text += `${slice(json, from, at)}\\u${slice(`000${numberText(unit, 16)}`, -4)}`;
    from = at + 1;
  }
  return from === 0 ? json : text + slice(json, from);
}
