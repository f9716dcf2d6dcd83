import { FROM_CELL } from "../../src/bridge/messages.ts";
import { GUEST } from "../../src/catalogue/texts.ts";
import type { Call } from "./call.ts";
import {
  GuestError,
  GuestMap,
  GuestRangeError,
  GuestTypeError,
  apply,
  bareArray,
  isFinite,
  mapDelete,
  mapForEach,
  mapGet,
  mapSet,
  max,
  min,
  then,
  GuestPromise,
  toNumber,
} from "./intrinsics.ts";
import { post } from "./outbox.ts";
import { installOperations } from "./web/interface.ts";

interface Timer {
  readonly call: Call;
  readonly callback: (...args: unknown[]) => void;
  readonly args: unknown[];
  /** Milliseconds between runs, or null for one that runs once. */
  readonly interval: number | null;
}

const timers = new GuestMap<number, Timer>();
const DELAY_MAX = 0x7fff_ffff;
const settled = new GuestPromise<void>((resolve) => resolve());
let lastTimer = 0;

type SetTimer = (callback: () => void, milliseconds: number) => number;

/**
 * Puts the HTML timers (8.6), queueMicrotask and setImmediate on the global object, and returns the first. A timer belongs to
 * the call whose turn set it and ends with it. It is set with a function alone: a text would be code to run.
 */
export function installTimers(target: object, currentCall: () => Call | undefined): { readonly setTimeout: SetTimer } {
  const set = (callback: unknown, delay: unknown, args: unknown[], repeats: boolean): number => {
    if (typeof callback !== "function") throw new GuestTypeError(GUEST.timerNotFunction);
    const call = currentCall();
    if (call === undefined || call.isEnded) throw new GuestError(GUEST.callEnded);
    if (call.timerCount >= call.limits.timerCount) throw new GuestRangeError(GUEST.timerCount(call.limits.timerCount));
    const number = toNumber(delay);
    const milliseconds = isFinite(number) ? min(max(number, repeats ? 1 : 0), DELAY_MAX) : 0;
    lastTimer += 1;
    call.timerCount += 1;
    mapSet(timers, lastTimer, { call, callback, args, interval: repeats ? milliseconds : null });
    post(FROM_CELL.SET_TIMER, lastTimer, `${milliseconds} ${call.number}`);
    return lastTimer;
  };
  installOperations(target, {
    setTimeout(callback: unknown, delay: unknown = undefined, ...args: unknown[]) {
      return set(callback, delay, args, false);
    },
    setInterval(callback: unknown, delay: unknown = undefined, ...args: unknown[]) {
      return set(callback, delay, args, true);
    },
    setImmediate(callback: unknown, ...args: unknown[]) {
      return set(callback, 0, args, false);
    },
    clearTimeout(timer: unknown = undefined) {
      clear(timer);
    },
    clearInterval(timer: unknown = undefined) {
      clear(timer);
    },
    clearImmediate(timer: unknown = undefined) {
      clear(timer);
    },
    queueMicrotask(callback: unknown) {
      if (typeof callback !== "function") throw new GuestTypeError(GUEST.timerNotFunction);
      void then(settled, () => (callback as () => void)());
    },
  });
  return { setTimeout: (callback, milliseconds) => set(callback, milliseconds, [], false) };
}

/** The call that a timer belongs to, or undefined where it was cleared meanwhile. */
export function timerCall(timer: number): Call | undefined {
  return mapGet(timers, timer)?.call;
}

/** Runs a timer that is due. What it throws is a background failure of its call. */
export function runTimer(timer: number): void {
  const due = mapGet(timers, timer);
  if (due === undefined) return;
  if (due.interval === null) drop(timer, due);
  else post(FROM_CELL.SET_TIMER, timer, `${due.interval} ${due.call.number}`);
  apply(due.callback, undefined, due.args);
}

/** Ends every timer of a call. */
export function clearTimersOf(call: Call): void {
  if (call.timerCount === 0) return;
  const ended: number[] = bareArray();
  mapForEach(timers, (timer, number) => {
    if ((timer as Timer).call === call) ended[ended.length] = number as number;
  });
  for (let index = 0; index < ended.length; index += 1) clear(ended[index]);
}

function clear(number: unknown): void {
  if (typeof number !== "number") return;
  const timer = mapGet(timers, number);
  if (timer === undefined) return;
  drop(number, timer);
  post(FROM_CELL.CLEAR_TIMER, number, "");
}

function drop(number: number, timer: Timer): void {
  mapDelete(timers, number);
  timer.call.timerCount -= 1;
}
