import type { Json, JsonObject } from "../catalogue/json.ts";

/**
 * Every message between host and cell, once. A frame's type is one of these numbers; each side switches over them in its
 * source and never looks anything up by what the other side wrote.
 *
 * Bodies are JSON unless said otherwise. `call` is a number that the host gives each call of one cell, 0 where a message
 * belongs to no call.
 */

/** Host to cell. */
export const TO_CELL = {
  /** `GuestConfig`: what the guest is told about its limits and its surroundings, and the memory its isolate gets. */
  LOAD: 1,
  /** The bundle's text itself, no JSON. Answered by LOADED. */
  BUNDLE: 2,
  /** `{ tool }`: evaluate this tool's module. Answered by PREPARED or FAILURE. */
  PREPARE: 3,
  /** `CallBody`. Answered by RESULT or FAILURE. */
  CALL: 4,
  /** Abort the call's signal. No answer of its own. */
  CANCEL: 5,
  /** Answered by PONG out of the guest, so only by a cell whose turns still end. */
  PING: 6,
  /** Keeper to guest only: a timer is due; `call` is the timer's number. */
  TIMER: 7,
  /** Run once what every call runs, for nobody: what a spare does while it waits. Answered by PONG. */
  REHEARSE: 8,
  /** `AnswerBody`: what became of a power request. */
  ANSWER: 9,
  /** `AnswerBody`, a line feed, bytes: the whole body is Latin-1, one character a byte. */
  ANSWER_BYTES: 10,
  /** `{ tool }`: run what this prepared tool's module exports as `unload`, if it does. Answered by PREPARED or FAILURE. */
  UNLOAD: 11,
  /** In a process of several cells: this one is over, and its isolate goes. Answered by READY, and what follows is the next cell's. */
  END: 12,
} as const;

/**
 * Added to the type of PREPARE, CALL and UNLOAD by a host that has other calls in the cell: the cell leaves word that its turn
 * begins, since the host cannot see whether it waits behind another. A process writes the number to its mark, a file that the
 * host reads when it has to know; who has none tells by STARTED.
 */
export const ANNOUNCE = 0x80;

/** Added to the type of a CALL of a tool whose calls have been short: what the calls before it have left may wait for it. */
export const BRISK = 0x40;
/** The type itself. */
export const TYPE_MASK = 0x3f;

/** Cell to host. */
export const FROM_CELL = {
  /** The keeper stands and its addon is loaded: `{ node }`. Also the answer to END. */
  READY: 1,
  LOADED: 2,
  /** `true` where the module that was prepared exports `unload`, else `false`. */
  PREPARED: 3,
  /** `ResultHead`, a line feed, the payload's JSON. */
  RESULT: 4,
  /** `FailureBody` */
  FAILURE: 5,
  /** `[fraction | null, detail]` */
  PROGRESS: 6,
  /** `[level, message]` */
  LOG: 7,
  /** From a thread's side of the host alone: what was sent to the thread has not begun. */
  QUEUED: 8,
  /** A call that was to be announced begins. */
  STARTED: 9,
  PONG: 10,
  /** `LimitBody`: the keeper stopped a turn of this call. */
  LIMIT: 11,
  /** Guest to keeper only: `call` is the timer's number, the body its delay in milliseconds, a space, the call it belongs to. */
  SET_TIMER: 12,
  /** Guest to keeper only. */
  CLEAR_TIMER: 13,
  /** `PowerBody`: the call asks the host to do something. Answered by ANSWER or ANSWER_BYTES, unless the call ends first. */
  POWER: 14,
  /** `PowerBody`, a line feed, bytes: the whole body is Latin-1, one character a byte. */
  POWER_BYTES: 15,
  /** Nothing else was said for a while, and turns do end. Belongs to no call. */
  ALIVE: 16,
  /** In a process of several cells: a turn of this one has run for a while. ALIVE follows when it ends. Belongs to no call. */
  BUSY: 17,
  /** The whole of a result that is a text and nothing else: its body is that text. */
  RESULT_TEXT: 18,
} as const;

/** Whether what was asked under the frame's number has ended with it. */
export function isEnd(type: number): boolean {
  switch (type) {
    case FROM_CELL.LOADED:
    case FROM_CELL.PREPARED:
    case FROM_CELL.RESULT:
    case FROM_CELL.RESULT_TEXT:
    case FROM_CELL.FAILURE:
      return true;
    default:
      return false;
  }
}

/** LOAD: told once to a cell, before its bundle. */
export interface GuestConfig {
  readonly capability: string;
  readonly memoryBytes: number;
  readonly cpuMs: number;
  /** The most that the whole process may hold. */
  readonly residentBytes: number;
  /** Whether the owner granted WebAssembly. */
  readonly wasm: boolean;
  readonly guest: GuestLimits;
  readonly paths: { readonly workspace: string; readonly home: string; readonly capability: string; readonly temp: string };
  readonly host: HostFacts;
}

/** The limits that the guest's own runtime holds to, and the keeper where it computes for it. */
export interface GuestLimits {
  readonly resultBytes: number;
  readonly depthCount: number;
  readonly valueCount: number;
  readonly imageCount: number;
  readonly faultCount: number;
  readonly messageChars: number;
  readonly progressCount: number;
  readonly progressMs: number;
  readonly detailChars: number;
  readonly logCount: number;
  readonly logChars: number;
  readonly timerCount: number;
  readonly powerInFlightCount: number;
  readonly powerBytes: number;
  readonly storageKeyBytes: number;
  readonly storageValueBytes: number;
  readonly processInputBytes: number;
  readonly nativeBytes: number;
  readonly nativeStreamCount: number;
  readonly deriveCount: number;
}

/** What a tool may know of the machine: rounded, so that it tells machines apart as little as it can. */
export interface HostFacts {
  readonly os: string;
  readonly arch: string;
  readonly cpus: number;
  readonly memoryBytes: number;
  readonly node: string;
  readonly engine: string;
  readonly timeZone: string;
  readonly locale: string;
}

/** CALL, as the guest reads it. The host writes `args` as the text it already has. */
export interface CallBody {
  readonly tool: string;
  readonly callId: string;
  readonly resultLimit: number | null;
  readonly args: unknown;
}

export interface ResultHead {
  readonly text: string;
  readonly summary: string | null;
  readonly images: readonly ResultImage[];
  /** Characters that the guest itself left out of a text too large to cross, 0 for none. */
  readonly left: number;
}

export interface ResultImage {
  readonly mediaType: string;
  /** Base64. */
  readonly data: string;
  readonly forOwner: boolean;
}

/** How a tool's own code ended a call. The host decides what each kind means. */
export const FAILURE_KINDS = ["arguments", "tool-error", "exception", "result", "load", "denied", "power-limit"] as const;
export type FailureKind = (typeof FAILURE_KINDS)[number];

export interface FailureBody {
  readonly kind: FailureKind;
  readonly message: string;
  readonly retryable: boolean;
  /** For the owner's log, never for the model. */
  readonly stack: string | null;
}

/** The powers that there are. The host switches over them; a name that is none of these ends the cell. */
export const POWERS = ["files", "network", "storage", "secrets", "process", "tools"] as const;
export type PowerName = (typeof POWERS)[number];

export interface PowerBody {
  /** The guest's own number for the request, given back with its answer. */
  readonly id: number;
  readonly power: PowerName;
  readonly op: string;
  readonly args: JsonObject;
}

export type AnswerBody =
  | { readonly id: number; readonly ok: true; readonly value: Json }
  | { readonly id: number; readonly ok: false; readonly code: string; readonly message: string };

export interface LimitBody {
  readonly limit: "cpu" | "memory";
  /** False where the turn could not be stopped: nothing more will come of this cell. */
  readonly stopped: boolean;
}

export const LOG_LEVELS = ["debug", "info", "warn", "error"] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

/** What the keeper measured, beside every frame it sends. */
export interface Meter {
  /** CPU of the call so far, in microseconds. */
  readonly cpuMicros: number;
  /** The isolate's heap when last looked at. */
  readonly heapBytes: number;
}
