import type { LogLevel } from "../../../src/bridge/messages.ts";
import { WEB } from "../../../src/catalogue/texts.ts";
import type { Call } from "../call.ts";
import { GuestMap, apply, bareArray, create, define, mapDelete, mapGet, mapSet, slice, toText } from "../intrinsics.ts";
import { elapsed } from "./clock.ts";
import { formatValues } from "./console-format.ts";
import { installOperations, setTag } from "./interface.ts";

/** What a console remembers: one for each call, so that no call is indented or counted by another. */
interface Memory {
  indent: string;
  readonly counts: Map<string, number>;
  readonly begun: Map<string, number>;
}

const INDENT = "  ";
const GuestWeakMap = WeakMap;
const recall = WeakMap.prototype.get as (this: WeakMap<object, Memory>, call: object) => Memory | undefined;
const remember = WeakMap.prototype.set as (this: WeakMap<object, Memory>, call: object, memory: Memory) => unknown;

/** Puts console (Console Standard) on the global object. Its lines go to the owner's log; no model sees them. */
export function installConsole(target: object, currentCall: () => Call | undefined): void {
  const memories = new GuestWeakMap<object, Memory>();
  // Outside any call nothing is written, and nothing need be remembered.
  const nobody = {};

  const memory = (): Memory => {
    const call = currentCall() ?? nobody;
    const known = apply(recall, memories, [call]);
    if (known !== undefined) return known;
    const made: Memory = { indent: "", counts: new GuestMap(), begun: new GuestMap() };
    apply(remember, memories, [call, made]);
    return made;
  };
  const print = (level: LogLevel, values: readonly unknown[]): void => {
    if (values.length > 0) currentCall()?.log(level, formatValues(memory().indent, values));
  };
  const printTime = (label: string, more: readonly unknown[]): void => {
    const since = mapGet(memory().begun, label);
    if (since === undefined) print("warn", ["%s", WEB.noTimer(label)]);
    else print("info", joined("%s", `${label}: ${elapsed() - since}ms`, more));
  };
  const group = (values: readonly unknown[]): void => {
    print("info", values);
    memory().indent += INDENT;
  };

  const console = create(create(Object.prototype));
  installOperations(console, {
    assert(condition: unknown = false, ...data: unknown[]) {
      if (condition) return;
      if (typeof data[0] !== "string") return print("error", joined("Assertion failed", undefined, data));
      data[0] = `Assertion failed: ${data[0]}`;
      print("error", data);
    },
    clear() {
      memory().indent = "";
    },
    debug: (...data: unknown[]) => print("debug", data),
    error: (...data: unknown[]) => print("error", data),
    info: (...data: unknown[]) => print("info", data),
    log: (...data: unknown[]) => print("info", data),
    table: (...data: unknown[]) => print("info", data),
    trace: (...data: unknown[]) => print("debug", joined("Trace", undefined, data)),
    warn: (...data: unknown[]) => print("warn", data),
    dir: (...data: unknown[]) => print("info", ["%o", data[0]]),
    dirxml: (...data: unknown[]) => print("info", data),
    count(label: unknown = "default") {
      const key = toText(label);
      const { counts } = memory();
      const count = (mapGet(counts, key) ?? 0) + 1;
      mapSet(counts, key, count);
      print("info", ["%s", `${key}: ${count}`]);
    },
    countReset(label: unknown = "default") {
      const key = toText(label);
      if (!mapDelete(memory().counts, key)) print("warn", ["%s", WEB.noCount(key)]);
    },
    group: (...data: unknown[]) => group(data),
    groupCollapsed: (...data: unknown[]) => group(data),
    groupEnd() {
      const state = memory();
      state.indent = slice(state.indent, INDENT.length);
    },
    time(label: unknown = "default") {
      const key = toText(label);
      const { begun } = memory();
      if (mapGet(begun, key) === undefined) mapSet(begun, key, elapsed());
      else print("warn", ["%s", WEB.timerRuns(key)]);
    },
    timeLog(label: unknown = "default", ...data: unknown[]) {
      printTime(toText(label), data);
    },
    timeEnd(label: unknown = "default") {
      const key = toText(label);
      printTime(key, []);
      mapDelete(memory().begun, key);
    },
  });
  setTag(console, "console");
  define(target, "console", console);
}

// What a line begins with, before what was logged.
function joined(first: string, second: string | undefined, more: readonly unknown[]): unknown[] {
  const all: unknown[] = bareArray();
  all[0] = first;
  if (second !== undefined) all[1] = second;
  for (let at = 0; at < more.length; at += 1) all[all.length] = more[at];
  return all;
}
