import { randomUUID } from "node:crypto";
import type { LogLevel } from "../bridge/messages.ts";
import { OUTCOME } from "../catalogue/texts.ts";
import { StartError, type CallEnd, type CellCall, type PowerReply, type PowerRequest } from "../cell/call-end.ts";
import type { Cell } from "../cell/cell.ts";
import type { Cells } from "../cell/cells.ts";
import { encodeArguments } from "./arguments.ts";
import { boundBy, startedWithin, type Bound } from "./bound.ts";
import { CallPowers } from "./call-powers.ts";
import type { CallOptions } from "./call-options.ts";
import type { CallTarget } from "./call-target.ts";
import { cleanLine, cleanText } from "./clean.ts";
import { endFailure, type MetLimit } from "./end-failure.ts";
import type { Log } from "./log.ts";
import { failedOutcome, NOTHING_DONE, type CallIdentity, type Done, type Failure, type Outcome, type Usage } from "./outcome.ts";
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

// How many cells may crash under a call that none of them began.
const CRASHES = 3;

/** One call on its path: arguments, queue, cell, run, outcome. What a cell asks of its call is answered here as well. */
export class Call implements CellCall {
  readonly #parts: CallParts;
  #target: CallTarget;
  readonly #options: CallOptions;
  readonly #identity: CallIdentity;
  readonly #begunAt = performance.now();
  #queueMs = 0;
  #startMs = 0;
  #bytesIn = 0;
  #crashes = 0;
  /** Made for the first operation: most calls use none. */
  #powers: CallPowers | null = null;
  /** What ends the wait that the call is in. */
  #bound: Bound;
  /** One time for all the cells that the call has to wait for. */
  #startBound: Bound | null = null;
  body = "";

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
    this.body = this.#bodyOf(encoded.json);
    const { slots } = this.#parts;
    try {
      const turn = slots.take(plan.capability, limits.concurrency, {
        until: this.#bound.at,
        waitMs: this.#bound.at - this.#begunAt,
        signal: this.#options.signal,
      });
      // A place that is free is taken without a turn of the event loop: a promise awaited costs a lone call as much as its check.
      if (turn !== null) await turn;
    } catch (error) {
      if (error instanceof QueueError) return this.#failQueue(error);
      throw error;
    }
    this.#queueMs = performance.now() - this.#begunAt;
    try {
      return await this.#runInCells();
    } finally {
      slots.leave(plan.capability);
    }
  }

  get tool(): string {
    return this.#identity.tool;
  }

  get signal(): AbortSignal | undefined {
    return this.#options.signal;
  }

  get deadlineAt(): number {
    return this.#bound.at;
  }

  get idleMs(): number {
    return this.#options.idleMs ?? this.#target.limits.idleMs;
  }

  onProgress(fraction: number | null, detail: string): void {
    try {
      this.#options.onProgress?.(fraction, this.#told(cleanLine(detail, this.#target.limits.detailChars)));
    } catch (error) {
      this.#log("error", OUTCOME.progressThrew, error instanceof Error ? error.stack : undefined);
    }
  }

  onLog(level: LogLevel, message: string): void {
    this.#log(level, this.#told(cleanText(message)));
  }

  onPower(request: PowerRequest): Promise<PowerReply> {
    const { powers, limits } = this.#target;
    return (this.#powers ??= new CallPowers(powers, limits, this.#identity.callId)).perform(request);
  }

  // In one cell after the other, until it has begun in one.
  async #runInCells(): Promise<Outcome> {
    const { tool } = this.#identity;
    for (;;) {
      const target = this.#parts.targetOf(tool);
      if (target === null) return this.#fail({ code: "UNKNOWN_TOOL", message: OUTCOME.wentAway(tool), started: false });
      this.#target = target;
      try {
        const cell = this.#readyNow() ?? (await this.#readyCell());
        const end = await this.#callIn(cell);
        this.#powers?.end();
        if (end.kind === "result") return this.#succeed(end);
        if (end.kind !== "unstarted") return await this.#conclude(end);
        if (end.isCrash && this.#isLastCrash())
          return this.#fail({ code: "CELL_CRASHED", message: OUTCOME.neverBegun(CRASHES), started: false });
      } catch (error) {
        if (!(error instanceof StartError)) throw error;
        if (error.retry === "never" || (error.retry === "after-crash" && this.#isLastCrash())) return await this.#failStart(error);
      }
    }
  }

  #callIn(cell: Cell): Promise<CallEnd> {
    this.#bound = this.#boundBy("callMs");
    this.#powers = null;
    this.#options.onBegin?.();
    return cell.call(this);
  }

  #isLastCrash(): boolean {
    this.#crashes += 1;
    return this.#crashes === CRASHES;
  }

  // A cell that runs and has the tool: nothing to wait for.
  #readyNow(): Cell | null {
    const { plan, found } = this.#target;
    const cell = this.#startBound === null ? this.#parts.cells.serving(plan) : null;
    return cell?.hasPrepared(found.tool.name) === true ? cell : null;
  }

  // Waits for the cell and for the tool's module in it, no longer than the call may take to start.
  async #readyCell(): Promise<Cell> {
    const { plan, found } = this.#target;
    const startedAt = performance.now();
    let ready: Cell | null = null;
    const starting = (async () => {
      ready = await this.#parts.cells.acquire(plan, found.tool.name);
      await ready.prepare(found.tool.name);
      return ready;
    })();
    this.#bound = this.#startBound ??= this.#boundBy("startMs");
    const { capability } = plan;
    try {
      return await startedWithin(starting, this.#bound, { capability, signal: this.signal, onOverdue: () => ready?.stop() });
    } finally {
      this.#startMs += performance.now() - startedAt;
    }
  }

  // The arguments stand in the body as the text that they already are.
  #bodyOf(argsJson: string): string {
    const { tool, callId } = this.#identity;
    const resultLimit = this.#options.resultLimit ?? null;
    return `{"tool":${JSON.stringify(tool)},"callId":"${callId}","resultLimit":${resultLimit},"args":${argsJson}}`;
  }

  #boundBy(name: "queueMs" | "startMs" | "callMs"): Bound {
    return boundBy(name, this.#target, { begunAt: this.#begunAt, timeoutMs: this.#options.timeoutMs });
  }

  #succeed(end: Extract<CallEnd, { readonly kind: "result" }>): Outcome {
    const { limits, powers } = this.#target;
    const usage = this.#usage(end.meter, end.bytesOut);
    return resultOutcome(this.#identity, end, this.#options.resultLimit ?? null, limits, usage, this.#done(), powers.mask);
  }

  async #conclude(end: Extract<CallEnd, { readonly kind: "failure" | "ended" }>): Promise<Outcome> {
    const usage = this.#usage(end.meter, end.kind === "ended" ? 0 : end.bytesOut);
    const { failure, detail } = endFailure(end, this.#target.limits, this.#limitMet(end), (this.#powers?.count ?? 0) > 0);
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
    return this.#powers === null ? NOTHING_DONE : { effects: this.#powers.effects(), isRetrySafe: this.#powers.isRetrySafe };
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
