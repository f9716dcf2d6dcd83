import type { Frame } from "../bridge/frames.ts";
import { ANNOUNCE, BRISK, FROM_CELL, TO_CELL, type GuestConfig, type Meter } from "../bridge/messages.ts";
import {
  BridgeError,
  parseFailure,
  parseLimit,
  parseLog,
  parsePower,
  parsePrepared,
  parseProgress,
  parseResult,
  parseResultText,
  type ParsedResult,
} from "../bridge/parse.ts";
import { DEATH } from "../catalogue/texts.ts";
import { answerFrame } from "./answer-frame.ts";
import { assertLoaded, type CallEnd, type CellCall, type Unloading } from "./call-end.ts";
import { Deadlines } from "./deadlines.ts";
import { causeOf, hadNotBegun } from "./death.ts";
import { InFlight, type Pending } from "./in-flight.ts";
import type { Bounds, Cause, CellProcess, Death } from "./cell-process.ts";
import { boundsOf, type CellLimits } from "./limits.ts";
import { PreparedTools } from "./prepared-tools.ts";
import { unloadTools } from "./unload.ts";
import type { Watchdog } from "./watchdog.ts";

export interface CellParts {
  readonly keeper: CellProcess;
  readonly limits: CellLimits;
  readonly watchdog: Watchdog;
  /** Called once, when no new call may come here: a limit was met, or the process ended. */
  readonly onRetired: (cell: Cell) => void;
  /** Called each time that the last call has ended. */
  readonly onIdle: () => void;
  /** `isCrash` where it was no limit, and nobody's wish, that ended it. */
  readonly onDeath: (death: Death, isCrash: boolean) => void;
  /** How a tool's `unload` is run before a planned end. */
  readonly unloading: (tool: string) => Unloading;
}

const NO_METER: Meter = { cpuMicros: 0, heapBytes: 0 };
// A heap this full after a call is not trusted with the next one.
const FULL_SHARE = 0.85;

/**
 * One capability's cell, seen from the host. Every call handed to it settles exactly once: by the guest, by a limit, or by
 * the end of the process.
 */
export class Cell {
  readonly #parts: CellParts;
  readonly #inFlight: InFlight;
  readonly #tools: PreparedTools;
  readonly #bounds: Bounds;
  readonly #deadlines = new Deadlines((now) => this.#onDue(now));
  #isRetired = false;
  /** Set from PING to PONG: whether its turns still end is not known. */
  #isSilent = false;
  /** A limit was met in it: its state is torn, and nothing of it is run once more. */
  #isTorn = false;
  #isFinishing = false;
  /** The isolate's heap when the keeper last told. */
  #heapBytes = 0;
  readonly #drained = Promise.withResolvers<void>();
  readonly #over = Promise.withResolvers<void>();
  /** When it last had nothing to do, on the monotonic clock; Infinity before it was loaded. */
  idleSince = Infinity;

  constructor(parts: CellParts) {
    this.#parts = parts;
    this.#inFlight = new InFlight(parts.limits.frameCount);
    this.#tools = new PreparedTools(parts.limits.cpuMs);
    this.#bounds = boundsOf(parts.limits);
    parts.keeper.onFrame = (frame) => this.#receive(frame);
    parts.keeper.onStuck = () => this.#onStuck();
    void parts.keeper.closed.then((death) => this.#onClosed(death));
  }

  get isRetired(): boolean {
    return this.#isRetired;
  }

  /** Whether a limit was met in it. */
  get isTorn(): boolean {
    return this.#isTorn;
  }

  /** Whether it has nothing to do and may be stopped for that: not one that has not begun to be loaded. */
  get isIdle(): boolean {
    return this.#inFlight.size === 0 && !this.#isRetired && this.idleSince < Infinity;
  }

  /** The tools whose modules stand in it. */
  get prepared(): readonly string[] {
    return this.#tools.names();
  }

  /** Resolves once it takes no calls and those it had have ended. */
  get drained(): Promise<void> {
    return this.#drained.promise;
  }

  /** Resolves once nothing of it runs any more: its `unload`s have, and its process has been told to end. */
  get over(): Promise<void> {
    return this.#over.promise;
  }

  /** Hands the capability to the guest. Rejects with StartError. */
  async load(config: GuestConfig, bundle: string): Promise<void> {
    this.#parts.watchdog.watch(this.#parts.keeper, this.#bounds);
    this.#parts.keeper.sendSoon(TO_CELL.LOAD, 0, JSON.stringify(config));
    const end = await new Promise<CallEnd>((settle) => {
      this.#inFlight.add(null, settle);
      this.#parts.keeper.sendSoon(TO_CELL.BUNDLE, 0, bundle);
    });
    assertLoaded(end, this.#parts.limits.cpuMs);
  }

  hasPrepared(tool: string): boolean {
    return this.#tools.has(tool);
  }

  /** Evaluates a tool's module, once. Rejects with StartError. */
  prepare(tool: string): Promise<void> {
    return this.#tools.prepare(
      tool,
      () =>
        new Promise((settle) => {
          if (this.#isRetired) return settle({ kind: "unstarted", isCrash: false });
          this.#begin(TO_CELL.PREPARE, this.#expect(null, settle), JSON.stringify({ tool }));
        }),
    );
  }

  /** Runs one call of a prepared tool. Never rejects. */
  call(call: CellCall): Promise<CallEnd> {
    if (this.#isRetired) return Promise.resolve({ kind: "unstarted", isCrash: false });
    return new Promise((resolve) => {
      const { signal } = call;
      const pending = this.#expect(
        call,
        signal === undefined ? resolve : (end) => (signal.removeEventListener("abort", onAbort), resolve(end)),
      );
      const onAbort = (): void => this.#cancel(pending);
      signal?.addEventListener("abort", onAbort, { once: true });
      this.#deadlines.add(call.deadlineAt);
      if (call.idleMs > 0) pending.silence = setTimeout(() => this.#onSilence(pending), call.idleMs);
      this.#begin(this.#tools.isBrisk(call.tool) ? TO_CELL.CALL + BRISK : TO_CELL.CALL, pending, call.body);
      if (signal?.aborted === true) onAbort();
    });
  }

  // Ends the calls that are over, and returns when the next one is.
  #onDue(now: number): number {
    let next = Infinity;
    for (const pending of this.#inFlight.all()) {
      const at = pending.call?.deadlineAt ?? Infinity;
      if (at <= now) this.#giveUp(pending, "CALL_TIMEOUT", DEATH.deadline);
      else next = Math.min(next, at);
    }
    return next;
  }

  /** Takes no more calls; ends when those in flight have, and what its tools keep has been unloaded. */
  retire(): void {
    this.#leave();
    if (this.#inFlight.size === 0) void this.#finish();
  }

  /** Ends every call as cancelled, unloads and ends: what an engine that closes does with a cell. */
  async close(): Promise<void> {
    this.#leave();
    this.#noteBegun();
    for (const pending of this.#inFlight.all()) {
      // It is told for its own sake; its caller waits no longer.
      this.#parts.keeper.send(TO_CELL.CANCEL, pending.number, "");
      this.#settle(pending, {
        kind: "ended",
        code: "CANCELLED",
        message: DEATH.closed,
        started: pending.hasStarted,
        meter: NO_METER,
        detail: null,
      });
    }
    await this.#finish();
    await this.closed;
  }

  end(reason: "done" | "closed"): void {
    this.#kill(reason);
  }

  // The one planned end. Whoever waits for its drain must wait no longer than its tools' unloading may take.
  async #finish(): Promise<void> {
    if (this.#isFinishing) return await this.over;
    this.#isFinishing = true;
    this.#drained.resolve();
    if (!this.#isTorn && !this.#parts.keeper.isKilled) await this.#unload();
    this.end("done");
  }

  async #unload(): Promise<void> {
    await unloadTools(this.#tools.withUnload(), {
      unloadMs: this.#parts.limits.unloadMs,
      unloading: this.#parts.unloading,
      settle: (pending, end) => this.#settle(pending, end),
      ask: (tool, call, settle) => {
        const pending = this.#expect(call, settle);
        this.#begin(TO_CELL.UNLOAD, pending, JSON.stringify({ tool }));
        return pending;
      },
    });
  }

  get closed(): Promise<Death> {
    return this.#parts.keeper.closed;
  }

  #leave(): void {
    if (this.#isRetired) return;
    this.#isRetired = true;
    this.#parts.onRetired(this);
  }

  #expect(call: CellCall | null, settle: (end: CallEnd) => void): Pending {
    if (this.#inFlight.size === 0) this.#parts.watchdog.watch(this.#parts.keeper, this.#bounds);
    return this.#inFlight.add(call, settle);
  }

  // Where the cell does not tell of each call that it begins, it has left word of the last.
  #noteBegun(): void {
    const last = this.#parts.keeper.lastBegun();
    for (const pending of this.#inFlight.all()) pending.hasStarted ||= pending.number <= last;
  }

  // What is alone in its cell begins as it arrives; behind others the cell tells when it does.
  #begin(type: number, pending: Pending, body: string): void {
    pending.hasStarted = this.#inFlight.size === 1;
    if (pending.hasStarted) this.#parts.keeper.send(type, pending.number, body);
    else this.#parts.keeper.sendSoon(type + ANNOUNCE, pending.number, body);
  }

  #settle(pending: Pending, end: CallEnd): void {
    if (!this.#inFlight.remove(pending)) return;
    clearTimeout(pending.grace);
    clearTimeout(pending.silence);
    if (this.#inFlight.size === 0) this.#becomeIdle(end);
    const isLate = pending.isCancelled && (end.kind === "result" || end.kind === "failure");
    pending.settle(
      isLate ? { kind: "ended", code: "CANCELLED", message: DEATH.cancelled, started: true, meter: end.meter, detail: null } : end,
    );
  }

  #becomeIdle(end: CallEnd): void {
    this.idleSince = performance.now();
    this.#deadlines.rest();
    this.#parts.watchdog.release(this.#parts.keeper);
    if (this.#isFinishing) return;
    const heapBytes = end.kind === "unstarted" ? 0 : end.meter.heapBytes;
    // A thread's heap is Node's too, and most of it waits to be collected: it says little of what the capability holds.
    const isThread = this.#parts.keeper.pid === undefined;
    if (!isThread && heapBytes > this.#parts.limits.memoryBytes * FULL_SHARE) this.retire();
    else if (this.#isRetired && !this.#isSilent) void this.#finish();
    this.#parts.onIdle();
  }

  #onSilence(pending: Pending): void {
    // What waits behind another turn cannot be heard of.
    this.#noteBegun();
    if (pending.hasStarted) this.#giveUp(pending, "CALL_TIMEOUT", DEATH.silent, "idleMs");
    else pending.silence?.refresh();
  }

  // The call ends now, the cell soon: whatever the guest still does of it reaches nobody, and the next call goes elsewhere.
  #giveUp(pending: Pending, code: "CALL_TIMEOUT" | "CANCELLED" | "CPU_LIMIT", message: string, limit?: "idleMs"): void {
    if (!this.#inFlight.has(pending)) return;
    this.#noteBegun();
    this.#parts.keeper.send(TO_CELL.CANCEL, pending.number, "");
    const met = limit === undefined ? {} : { limit };
    this.#settle(pending, { kind: "ended", code, message, started: pending.hasStarted, meter: NO_METER, detail: null, ...met });
    this.stop();
  }

  /** Takes no more calls. While it still answers, those in flight finish; one that does not answer within the grace is killed. */
  stop(): void {
    this.#isTorn = true;
    this.#leave();
    if (this.#inFlight.size === 0) return this.#kill("done");
    this.#isSilent = true;
    this.#parts.keeper.send(TO_CELL.PING, 0, "");
    setTimeout(() => {
      if (this.#isSilent) this.#kill("stuck");
    }, this.#parts.limits.graceMs);
  }

  // The guest is told and may settle in its own words within the grace; the outcome is CANCELLED either way.
  #cancel(pending: Pending): void {
    if (!this.#inFlight.has(pending)) return;
    pending.isCancelled = true;
    this.#parts.keeper.send(TO_CELL.CANCEL, pending.number, "");
    pending.grace = setTimeout(() => this.#giveUp(pending, "CANCELLED", DEATH.cancelled), this.#parts.limits.graceMs);
  }

  #receive(frame: Frame): void {
    try {
      this.#dispatch(frame);
    } catch (error) {
      if (!(error instanceof BridgeError)) throw error;
      this.#kill("protocol");
    }
  }

  #dispatch({ type, call: number, meter, body }: Frame): void {
    if (meter.heapBytes > 0) this.#heapBytes = meter.heapBytes;
    const pending = this.#inFlight.receive(number);
    if (pending === null) return this.#receiveStray(type);
    switch (type) {
      case FROM_CELL.LOADED:
      case FROM_CELL.PREPARED:
        return this.#settle(pending, { kind: "result", head: EMPTY_HEAD, payload: parsePrepared(body), meter, bytesOut: 0 });
      case FROM_CELL.RESULT:
        return this.#onResult(pending, parseResult(body, this.#parts.limits), meter, body.length);
      case FROM_CELL.RESULT_TEXT:
        return this.#onResult(pending, parseResultText(body), meter, body.length);
      case FROM_CELL.FAILURE:
        return this.#settle(pending, { kind: "failure", failure: parseFailure(body), meter, bytesOut: body.length });
      case FROM_CELL.PROGRESS: {
        const { fraction, detail } = parseProgress(body);
        return pending.call?.onProgress(fraction, detail);
      }
      case FROM_CELL.LOG: {
        const { level, message } = parseLog(body);
        return pending.call?.onLog(level, message);
      }
      case FROM_CELL.POWER:
      case FROM_CELL.POWER_BYTES:
        return this.#askPower(pending, body, type === FROM_CELL.POWER_BYTES);
      case FROM_CELL.QUEUED:
        pending.hasStarted = false;
        return;
      case FROM_CELL.STARTED:
        pending.hasStarted = true;
        return;
      // Of no call, and so under the number of a load that has not ended.
      case FROM_CELL.ALIVE:
        return;
      case FROM_CELL.LIMIT:
        return this.#onLimit(pending, body);
      case FROM_CELL.PONG:
        return this.#onPong();
      default:
        throw new BridgeError(`A frame of type ${type} belongs to no call`);
    }
  }

  #onResult(pending: Pending, { head, payload }: ParsedResult, meter: Meter, bytesOut: number): void {
    if (pending.call !== null) this.#tools.note(pending.call.tool, meter.cpuMicros);
    this.#settle(pending, { kind: "result", head, payload, meter, bytesOut });
  }

  #askPower(pending: Pending, body: Buffer, hasBytes: boolean): void {
    if (pending.call === null) throw new BridgeError("A module body has no powers");
    void pending.call.onPower(parsePower(body, hasBytes)).then(({ answer, bytes }) => {
      const frame = answerFrame(answer, bytes, this.#parts.limits);
      if (this.#inFlight.has(pending)) this.#parts.keeper.send(frame.type, pending.number, frame.body);
    });
  }

  // Late words of a call that has ended, a pong, a limit met by nobody's turn.
  #receiveStray(type: number): void {
    if (type === FROM_CELL.PONG) this.#onPong();
    else if (type === FROM_CELL.LIMIT) this.stop();
    // ALIVE has been heard as it arrived, and says no more.
  }

  #onPong(): void {
    this.#isSilent = false;
    if (this.#isRetired && this.#inFlight.size === 0) void this.#finish();
  }

  #onLimit(pending: Pending, body: Buffer): void {
    const { limit, stopped } = parseLimit(body);
    if (limit === "memory") return this.#kill("memory");
    this.#giveUp(pending, "CPU_LIMIT", DEATH.cpu(this.#parts.limits.cpuMs));
    if (!stopped) this.#kill("stuck");
  }

  // Whose turn it is nobody can say but the cell: those that had begun are told alike.
  #onStuck(): void {
    this.#noteBegun();
    for (const pending of this.#inFlight.all())
      if (pending.hasStarted) this.#giveUp(pending, "CPU_LIMIT", DEATH.cpu(this.#parts.limits.cpuMs));
    this.#kill("stuck");
  }

  // Settles at once what the end is already certain of: no call waits for the system to clear a process away.
  #kill(reason: Parameters<CellProcess["kill"]>[0]): void {
    this.#isFinishing = true;
    this.#parts.keeper.kill(reason);
    this.#endAll({ killedFor: reason, signal: null, exitCode: null, stderr: "" });
  }

  #onClosed(death: Death): void {
    this.#parts.watchdog.release(this.#parts.keeper);
    this.#endAll(death);
    const isOwnDoing = death.killedFor === null || death.killedFor === "protocol";
    this.#parts.onDeath(death, isOwnDoing && this.#causeOf(death).code === "CELL_CRASHED");
  }

  #causeOf(death: Death): Cause {
    return causeOf(death, this.#heapBytes / this.#parts.limits.memoryBytes);
  }

  #endAll(death: Death): void {
    this.#isFinishing = true;
    this.#leave();
    this.#drained.resolve();
    this.#over.resolve();
    this.#deadlines.close();
    this.#noteBegun();
    const { code, message } = this.#causeOf(death);
    const detail = death.stderr === "" ? null : death.stderr;
    for (const pending of this.#inFlight.all()) {
      const canRunAgain = hadNotBegun(pending, death) || (!pending.hasStarted && code !== "CANCELLED");
      const end: CallEnd = canRunAgain
        ? { kind: "unstarted", isCrash: true }
        : { kind: "ended", code, message, started: pending.hasStarted, meter: NO_METER, detail };
      this.#settle(pending, end);
    }
  }
}

const EMPTY_HEAD = { text: "", summary: null, images: [], left: 0 } as const;
