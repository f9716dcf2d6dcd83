import { FROM_CELL, type GuestConfig, type GuestLimits, type LogLevel } from "../../src/bridge/messages.ts";
import { GUEST } from "../../src/catalogue/texts.ts";
import type { ToolContext } from "../types.ts";
import { describe } from "./failure.ts";
import { createFiles } from "./files.ts";
import { freeze, max, min, now, slice, toJson } from "./intrinsics.ts";
import type { Emit } from "./outbox.ts";
import { NotJson, payloadJson } from "./payload.ts";
import { createProcess } from "./process.ts";
import { createSecrets } from "./secrets.ts";
import { createStorage } from "./storage.ts";

/** One call in this cell, from its CALL to its RESULT or FAILURE. */
export interface Call {
  readonly number: number;
  readonly limits: GuestLimits;
  readonly context: ToolContext;
  timerCount: number;
  isEnded: boolean;
  log(level: LogLevel, values: readonly unknown[]): void;
  abort(): void;
  /** Sends what was held back: the last merged progress, the count of lines not kept. */
  flush(): void;
}

/** What a runtime makes of its realm, each in its own way. */
export interface Realm {
  /** Hands one message over at once, in the middle of a turn. */
  readonly emit: Emit;
  /** A call's signal, and the one way to abort it. */
  createSignal(): { readonly signal: object; abort(): void };
  /** Called once, with what the host says of the cell. */
  configure(config: GuestConfig): void;
  /** Runs a part of a call, so that it is known as that call's. */
  within(call: Call, act: () => void): void;
}

export function createCall(number: number, callId: string, resultLimit: number | null, config: GuestConfig, realm: Realm): Call {
  const { emit } = realm;
  const limits = config.guest;
  let lines = 0;
  let reports = 0;
  let lastReport = 0;
  let heldReport: string | null = null;

  function log(level: LogLevel, values: readonly unknown[]): void {
    if (call.isEnded) return;
    lines += 1;
    if (lines <= limits.logCount) emit(FROM_CELL.LOG, number, `["${level}",${toJson(lineOf(values, limits.logChars))}]`);
  }
  function progress(fraction: unknown, detail?: unknown): void {
    if (call.isEnded) return;
    const share = typeof fraction === "number" && fraction === fraction ? `${min(max(fraction, 0), 1)}` : "null";
    const report = `[${share},${toJson(typeof detail === "string" ? slice(detail, 0, limits.detailChars) : "")}]`;
    reports += 1;
    const time = now();
    if (reports > limits.progressCount && time - lastReport < limits.progressMs && time >= lastReport) heldReport = report;
    else send(report, time);
  }
  function send(report: string, time: number): void {
    lastReport = time;
    heldReport = null;
    emit(FROM_CELL.PROGRESS, number, report);
  }
  const { signal, abort } = realm.createSignal();
  const context = freeze({
    paths: config.paths,
    host: config.host,
    callId,
    resultLimit,
    signal,
    log: freeze(levels(log)),
    fs: createFiles(() => call),
    storage: createStorage(() => call),
    secrets: createSecrets(() => call),
    process: createProcess(() => call),
    progress,
  }) as ToolContext;
  const call: Call = {
    number,
    limits,
    context,
    timerCount: 0,
    isEnded: false,
    log,
    abort,
    flush() {
      if (heldReport !== null) send(heldReport, now());
      if (lines > limits.logCount) emit(FROM_CELL.LOG, number, `["warn",${toJson(GUEST.linesDropped(lines - limits.logCount))}]`);
    },
  };
  return call;
}

function levels(log: (level: LogLevel, values: readonly unknown[]) => void) {
  return {
    debug: (...values: readonly unknown[]) => log("debug", values),
    info: (...values: readonly unknown[]) => log("info", values),
    warn: (...values: readonly unknown[]) => log("warn", values),
    error: (...values: readonly unknown[]) => log("error", values),
  };
}

// One line of text for what was logged: never a format string, never longer than what is kept.
function lineOf(values: readonly unknown[], chars: number): string {
  let line = "";
  for (let index = 0; index < values.length && line.length < chars; index += 1)
    line += (index === 0 ? "" : " ") + wordOf(values[index], chars);
  return slice(line, 0, chars);
}

function wordOf(value: unknown, chars: number): string {
  if (typeof value === "string") return slice(value, 0, chars);
  if (typeof value === "number" || typeof value === "boolean" || value === undefined) return `${value}`;
  try {
    if (typeof value === "object" && value !== null && typeof (value as { message?: unknown }).message === "string")
      return slice(describe(value, 1), 0, chars);
    return payloadJson(value, { bytes: chars * 4, depth: 8, values: 1000 });
  } catch (error) {
    return error instanceof NotJson ? `(${error.message})` : describe(error, 0);
  }
}
