import { randomUUID } from "node:crypto";
import type { LogLevel } from "../bridge/messages.ts";
import { OUTCOME } from "../catalogue/texts.ts";
import { StartError, type CallEnd } from "../cell/call-end.ts";
import type { Cell } from "../cell/cell.ts";
import type { Cells } from "../cell/cells.ts";
import { encodeArguments } from "./arguments.ts";
import { CallPowers } from "./call-powers.ts";
import type { CallOptions } from "./call-options.ts";
import type { CallTarget } from "./call-target.ts";
import { cleanLine, cleanText } from "./clean.ts";
import { endFailure, type MetLimit } from "./end-failure.ts";
import type { Log } from "./log.ts";
import { failedOutcome, type CallIdentity, type Done, type Failure, type Outcome, type Usage } from "./outcome.ts";
import { resultOutcome } from "./result.ts";
import { QueueError, type Slots } from "./slots.ts";

/** What a call needs of the engine that makes it. */
export interface CallParts {
  readonly slots: Slots;
  readonly cells: Cells;
  readonly log: Log;
  /** The tool as it is now, or null where it is not there: what a call waits for may have changed meanwhile. */
  targetOf(tool: string): CallTarget | null;
}

/** The end of a wait, on the monotonic clock, and the limit that sets it. */
interface Bound {
  readonly at: number;
  readonly limit: MetLimit;
}

// How many cells may crash under a call that none of them began.
const CRASHES = 3;

/** One call on its path: arguments, queue, cell, run, outcome. */
export class Call {
  readonly #parts: CallParts;
  #target: CallTarget;
  readonly #options: CallOptions;
  readonly #identity: CallIdentity;
  readonly #begunAt = performance.now();
  #queueMs = 0;
  #startMs = 0;
  #bytesIn = 0;
  #powers: CallPowers | null = null;
  /** What ends the wait that the call is in. */
  #bound: Bound;
  /** One time for all the cells that the call has to wait for. */
  #startBound: Bound | null = null;

  constructor(parts: CallParts, target: CallTarget, options: CallOptions) {
    this.#parts = parts;
    this.#target = target;
    this.#options = options;
    this.#identity = { tool: target.found.tool.name, capability: target.found.capability.record.name, callId: randomUUID() };
    this.#bound = this.#boundBy("queueMs");
  }

  /** Never rejects for what a tool, a package or a model did. */
  async run(args: unknown): Promise<Outcome> {
    const { limits, plan } = this.#target;
    const encoded = encodeArguments(args, limits);
    if ("fault" in encoded) return this.#fail({ code: "INVALID_ARGUMENTS", message: encoded.fault, started: false });
    this.#bytesIn = encoded.bytes;
    const waitMs = this.#bound.at - performance.now();
    try {
      return await this.#parts.slots.run(plan.capability, limits.concurrency, { waitMs, signal: this.#options.signal }, () =>
        this.#runInCell(encoded.json),
      );
    } catch (error) {
      if (error instanceof QueueError) return this.#failQueue(error);
      throw error;
    }
  }

  async #runInCell(argsJson: string): Promise<Outcome> {
    this.#queueMs = performance.now() - this.#begunAt;
    const body = this.#body(argsJson);
    for (let crashes = 0; ;) {
      const target = this.#parts.targetOf(this.#identity.tool);
      if (target === null) return this.#fail({ code: "UNKNOWN_TOOL", message: OUTCOME.wentAway(this.#identity.tool), started: false });
      this.#target = target;
      try {
        const cell = await this.#readyCell();
        const end = await this.#callCell(cell, body);
        if (end.kind !== "unstarted") return await this.#conclude(end);
        if (end.isCrash && (crashes += 1) === CRASHES)
          return this.#fail({ code: "CELL_CRASHED", message: OUTCOME.neverBegun(CRASHES), started: false });
      } catch (error) {
        if (!(error instanceof StartError)) throw error;
        if (error.retry === "never" || (error.retry === "after-crash" && (crashes += 1) === CRASHES)) return await this.#failStart(error);
      }
    }
  }

  async #callCell(cell: Cell, body: string): Promise<CallEnd> {
    const powers = new CallPowers(this.#target.powers, this.#target.limits, this.#identity.callId);
    this.#powers = powers;
    try {
      return await cell.call({ ...this.#cellCall(body), onPower: (request) => powers.perform(request) });
    } finally {
      powers.end();
    }
  }

  // Waits for the cell and for the tool's module in it, no longer than the call may take to start.
  async #readyCell(): Promise<Cell> {
    const { plan, found } = this.#target;
    const startedAt = performance.now();
    const cell = this.#parts.cells.acquire(plan);
    let ready: Cell | null = cell instanceof Promise ? null : cell;
    // A cell that runs and has the tool: nothing to wait for.
    if (this.#startBound === null && ready?.hasPrepared(found.tool.name) === true) return ready;
    const starting = (async () => {
      ready = await cell;
      await ready.prepare(found.tool.name);
      return ready;
    })();
    starting.catch(() => undefined);
    this.#bound = this.#startBound ??= this.#boundBy("startMs");
    try {
      return await this.#within(starting, () => ready?.stop());
    } finally {
      this.#startMs += performance.now() - startedAt;
    }
  }

  #within<T>(starting: Promise<T>, onOverdue: () => void): Promise<T> {
    const { signal } = this.#options;
    const { at, limit } = this.#bound;
    const ms = Math.max(1, at - performance.now());
    return new Promise((resolve, reject) => {
      const onAbort = (): void => reject(new StartError("CANCELLED", OUTCOME.cancelled));
      const overdue = setTimeout(() => {
        // A cell that takes longer than one caller has goes on starting, for the others and for the next call.
        if (limit.name === "startMs") onOverdue();
        reject(new StartError("START_TIMEOUT", OUTCOME.startTimeout(Math.round(ms), this.#target.plan.capability)));
      }, ms);
      signal?.addEventListener("abort", onAbort, { once: true });
      starting.then(resolve, reject).finally(() => {
        clearTimeout(overdue);
        signal?.removeEventListener("abort", onAbort);
      });
    });
  }

  // The arguments stand in the body as the text that they already are.
  #body(argsJson: string): string {
    const { tool, callId } = this.#identity;
    const resultLimit = this.#options.resultLimit ?? null;
    return `{"tool":${JSON.stringify(tool)},"callId":"${callId}","resultLimit":${resultLimit},"args":${argsJson}}`;
  }

  #cellCall(body: string) {
    const { onProgress, signal, idleMs } = this.#options;
    this.#bound = this.#boundBy("callMs");
    return {
      body,
      signal,
      deadlineAt: this.#bound.at,
      idleMs: idleMs ?? this.#target.limits.idleMs,
      onProgress: (fraction: number | null, detail: string): void => {
        try {
          onProgress?.(fraction, this.#told(cleanLine(detail, this.#target.limits.detailChars)));
        } catch (error) {
          this.#log("error", OUTCOME.progressThrew, error instanceof Error ? error.stack : undefined);
        }
      },
      onLog: (level: LogLevel, message: string): void => this.#log(level, this.#told(cleanText(message))),
    };
  }

  // What ends the wait that begins now: the engine's own limit, or the whole time that the caller gives.
  #boundBy(name: "queueMs" | "startMs" | "callMs"): Bound {
    const value = this.#target.limits[name];
    const own = { at: performance.now() + value, limit: { name, value } };
    const { timeoutMs } = this.#options;
    if (timeoutMs === undefined) return own;
    const given = { at: this.#begunAt + timeoutMs, limit: { name: "timeoutMs", value: timeoutMs } };
    // A caller may ask for more than the default, never for more than the capability says it takes.
    const isDefault = name === "callMs" && this.#target.found.capability.record.limits.callMs === undefined;
    return isDefault || given.at < own.at ? given : own;
  }

  async #conclude(end: Exclude<CallEnd, { readonly kind: "unstarted" }>): Promise<Outcome> {
    const usage = this.#usage(end.meter, end.kind === "ended" ? 0 : end.bytesOut);
    if (end.kind === "result")
      return resultOutcome(
        this.#identity,
        end,
        this.#options.resultLimit ?? null,
        this.#target.limits,
        usage,
        this.#done(),
        this.#target.powers.mask,
      );
    const { failure, detail } = endFailure(end, this.#target.limits, this.#limitMet(end));
    const told = { ...failure, message: this.#told(failure.message) };
    if (detail !== null || told.code === "CELL_CRASHED")
      this.#log("error", `${told.code}: ${told.message}`, detail === null ? null : this.#told(await this.#trace(detail)));
    return failedOutcome(this.#identity, told, usage, this.#done());
  }

  #limitMet(end: CallEnd): MetLimit {
    if (end.kind !== "ended" || end.limit === undefined) return this.#bound.limit;
    return { name: end.limit, value: this.#options.idleMs ?? this.#target.limits[end.limit] };
  }

  async #failStart({ code, message, detail }: StartError): Promise<Outcome> {
    this.#log("error", `${code}: ${cleanText(message)}`, detail === null || detail === undefined ? detail : await this.#trace(detail));
    const text = cleanText(message);
    return this.#fail({
      code,
      message: code === "LOAD_FAILED" ? OUTCOME.loadFailed(text) : text,
      started: false,
      phase: "start",
      ...(code === "START_TIMEOUT" ? { limit: this.#bound.limit } : {}),
    });
  }

  // A log that says less is no reason for a call to fail.
  async #trace(stack: string): Promise<string> {
    return await this.#target.trace(stack).catch(() => stack);
  }

  #failQueue({ code, message }: QueueError): Outcome {
    this.#queueMs = performance.now() - this.#begunAt;
    const limit =
      code === "QUEUE_TIMEOUT"
        ? this.#bound.limit
        : code === "BUSY"
          ? { name: "queueCount", value: this.#target.limits.queueCount }
          : undefined;
    return this.#fail({ code, message, started: false, phase: "queue", ...(limit === undefined ? {} : { limit }) });
  }

  #fail(failure: Failure): Outcome {
    return failedOutcome(this.#identity, failure, this.#usage({ cpuMicros: 0, heapBytes: 0 }, 0));
  }

  // What leaves the engine of a tool's words: without the values of secrets that the tool may use.
  #told(text: string): string {
    return this.#target.powers.mask.text(text);
  }

  #done(): Done {
    return { effects: this.#powers?.effects() ?? [], isRetrySafe: this.#powers?.isRetrySafe ?? true };
  }

  #usage({ cpuMicros, heapBytes }: { readonly cpuMicros: number; readonly heapBytes: number }, bytesOut: number): Usage {
    return {
      wallMs: performance.now() - this.#begunAt,
      queueMs: this.#queueMs,
      startMs: this.#startMs,
      cpuMs: cpuMicros / 1000,
      heapBytes,
      powerCalls: this.#powers?.count ?? 0,
      bytesIn: this.#bytesIn,
      bytesOut,
    };
  }

  #log(level: LogLevel, message: string, detail?: string | null): void {
    const { tool, capability, callId } = this.#identity;
    const about = {
      tool,
      callId,
      ...(capability === null ? {} : { capability }),
      ...(this.#options.caller === undefined ? {} : { caller: this.#options.caller }),
    };
    this.#parts.log(level, message, detail === undefined || detail === null ? about : { ...about, detail });
  }
}
