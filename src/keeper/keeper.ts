import type { Frame } from "../bridge/frames.ts";
import { FROM_CELL, TO_CELL, type GuestConfig, type LimitBody, type Meter } from "../bridge/messages.ts";
import { GUEST } from "../catalogue/texts.ts";
import type { Addon, Guest, TurnEnd } from "./isolate.ts";
import { Natives } from "./natives/natives.ts";
import { endProcess, writeFrame } from "./pipes.ts";

export interface KeeperSetup {
  readonly memoryBytes: number;
  readonly cpuMs: number;
  /** The most that this process may hold. */
  readonly residentBytes: number;
  /** The largest body that the host takes. */
  readonly bodyBytes: number;
  readonly graceMs: number;
  readonly watchMs: number;
}

interface Turn {
  readonly type: number;
  /** The message's number: the call's, or the timer's. */
  readonly call: number;
  readonly body: string;
  /** The call that the turn is reckoned to. */
  readonly owner: number;
}

// How often the heap is looked at: a look costs as much as a tenth of a call.
const HEAP_LOOK_MS = 100;

/** Runs the guest's turns, one after the other, and carries messages between it and the host. It never reads what they say. */
export class Keeper {
  readonly #addon: Addon;
  readonly #setup: KeeperSetup;
  readonly #waiting: Turn[] = [];
  readonly #timers = new Map<number, NodeJS.Timeout>();
  #current: { readonly turn: Turn; readonly startedAt: number } | null = null;
  #watch: NodeJS.Timeout | null = null;
  readonly #cpuMicros = new Map<number, number>();
  readonly #natives = new Natives();
  #guest: Guest;
  #cpuMs: number;
  #memoryBytes: number;
  #residentBytes: number;
  #isInTurn = false;
  #heapBytes = 0;
  #heapLookedAt = -Infinity;

  constructor(addon: Addon, setup: KeeperSetup) {
    this.#addon = addon;
    this.#setup = setup;
    this.#guest = addon.createGuest(setup.memoryBytes, { emit, native: this.#natives.call });
    this.#cpuMs = setup.cpuMs;
    this.#memoryBytes = setup.memoryBytes;
    this.#residentBytes = setup.residentBytes;
  }

  receive({ type, call, body }: Frame): void {
    if (isBeginning(type) && this.#isInTurn) writeFrame(FROM_CELL.QUEUED, call, "");
    const text = body.toString(type === TO_CELL.ANSWER_BYTES ? "latin1" : "utf8");
    this.#push({ type, call, body: text, owner: call });
  }

  #push(turn: Turn): void {
    this.#waiting.push(turn);
    if (!this.#isInTurn) void this.#runTurns();
  }

  async #runTurns(): Promise<void> {
    this.#isInTurn = true;
    let isFirst = true;
    for (let turn = this.#waiting.shift(); turn !== undefined; turn = this.#waiting.shift()) {
      if (!isFirst && isBeginning(turn.type)) writeFrame(FROM_CELL.STARTED, turn.call, "");
      isFirst = false;
      await this.#runTurn(turn);
    }
    this.#isInTurn = false;
  }

  async #runTurn(turn: Turn): Promise<void> {
    if (turn.type === TO_CELL.LOAD) this.#applyConfig(JSON.parse(turn.body) as GuestConfig);
    const before = this.#guest.cpuMicros();
    this.#natives.begin(turn.owner);
    this.#current = { turn, startedAt: performance.now() };
    this.#watch ??= setInterval(() => this.#look(), this.#setup.watchMs);
    const end =
      turn.type === TO_CELL.BUNDLE ? await this.#runBundle(turn) : await this.#guest.turn(turn.type, turn.call, turn.body, this.#cpuMs);
    this.#current = null;
    const spent = (this.#cpuMicros.get(turn.owner) ?? 0) + this.#guest.cpuMicros() - before + this.#natives.spentMicros;
    // A turn for a call that has ended meanwhile is nobody's.
    if (isBeginning(turn.type) || this.#cpuMicros.has(turn.owner)) this.#cpuMicros.set(turn.owner, spent);
    else this.#natives.endCall(turn.owner);
    await this.#conclude(turn, end);
  }

  // This thread stays free while the guest's is busy, also where nothing can interrupt it any more.
  #look(): void {
    if (this.#current === null) {
      clearInterval(this.#watch ?? undefined);
      this.#watch = null;
      return;
    }
    const { turn, startedAt } = this.#current;
    if (residentBytes() > this.#residentBytes) {
      this.#reportLimit(turn.owner, { limit: "memory", stopped: false });
      endProcess();
    }
    if (performance.now() - startedAt > this.#cpuMs + this.#setup.graceMs) this.#reportLimit(turn.owner, { limit: "cpu", stopped: false });
  }

  // The spare's isolate was made before anyone knew whose it would be.
  #applyConfig(config: GuestConfig): void {
    this.#cpuMs = config.cpuMs;
    this.#residentBytes = config.residentBytes;
    this.#natives.limits = config.guest;
    if (config.memoryBytes === this.#memoryBytes) return;
    this.#guest.dispose();
    this.#memoryBytes = config.memoryBytes;
    this.#guest = this.#addon.createGuest(config.memoryBytes, { emit, native: this.#natives.call });
  }

  async #runBundle(turn: Turn): Promise<TurnEnd> {
    const end = await this.#guest.runBundle(turn.body, this.#cpuMs);
    if (end.kind === "failed")
      writeFrame(FROM_CELL.FAILURE, 0, JSON.stringify({ kind: "load", message: end.message, retryable: false, stack: null }));
    return end.kind === "done" ? await this.#guest.turn(TO_CELL.DRAIN, 0, "", this.#cpuMs) : end;
  }

  async #conclude(turn: Turn, end: TurnEnd): Promise<void> {
    switch (end.kind) {
      case "done":
        this.#forward(end.outbox);
        break;
      case "memory":
        this.#reportLimit(turn.owner, { limit: "memory", stopped: false });
        endProcess();
        break;
      case "cpu":
        this.#reportLimit(turn.owner, { limit: "cpu", stopped: true });
        await this.#drain();
        break;
      case "failed":
        if (turn.type !== TO_CELL.BUNDLE) writeFrame(FROM_CELL.LOG, turn.owner, JSON.stringify(["error", `Unhandled: ${end.message}`]));
        await this.#drain();
        break;
    }
  }

  async #drain(): Promise<void> {
    const end = await this.#guest.turn(TO_CELL.DRAIN, 0, "", this.#cpuMs);
    if (end.kind === "done") this.#forward(end.outbox);
    else if (end.kind === "memory") endProcess();
  }

  #forward(outbox: readonly unknown[]): void {
    for (let index = 0; index + 2 < outbox.length; index += 3) {
      const [type, call, body] = [outbox[index], outbox[index + 1], outbox[index + 2]];
      if (typeof type === "number" && typeof call === "number" && typeof body === "string") this.#send(type, call, body);
    }
  }

  #send(type: number, call: number, body: string): void {
    switch (type) {
      case FROM_CELL.SET_TIMER:
        this.#setTimer(call, body);
        break;
      case FROM_CELL.CLEAR_TIMER:
        clearTimeout(this.#timers.get(call));
        this.#timers.delete(call);
        break;
      case FROM_CELL.RESULT:
      case FROM_CELL.FAILURE:
      case FROM_CELL.PREPARED:
        this.#sendEnd(type, call, body);
        break;
      case FROM_CELL.POWER_BYTES:
        writeFrame(type, call, Buffer.from(body, "latin1"));
        break;
      default:
        writeFrame(type, call, body);
    }
  }

  #sendEnd(type: number, call: number, body: string): void {
    const meter = this.#meter(call);
    this.#cpuMicros.delete(call);
    this.#natives.endCall(call);
    if (Buffer.byteLength(body) <= this.#setup.bodyBytes) writeFrame(type, call, body, meter);
    else writeFrame(FROM_CELL.FAILURE, call, OVERSIZED, meter);
  }

  #setTimer(timer: number, body: string): void {
    const [delayMs = 0, owner = 0] = body.split(" ", 2).map(Number);
    clearTimeout(this.#timers.get(timer));
    const due = (): void => {
      this.#timers.delete(timer);
      this.#push({ type: TO_CELL.TIMER, call: timer, body: "", owner });
    };
    this.#timers.set(timer, setTimeout(due, delayMs));
  }

  #meter(call: number): Meter {
    const time = performance.now();
    if (time - this.#heapLookedAt > HEAP_LOOK_MS) {
      this.#heapLookedAt = time;
      this.#heapBytes = this.#guest.heapBytes();
    }
    return { cpuMicros: this.#cpuMicros.get(call) ?? 0, heapBytes: this.#heapBytes };
  }

  #reportLimit(call: number, body: LimitBody): void {
    writeFrame(FROM_CELL.LIMIT, call, JSON.stringify(body));
  }
}

// Behind a wall without /proc nobody tells; there the host watches alone.
function residentBytes(): number {
  try {
    return process.memoryUsage.rss();
  } catch {
    return 0;
  }
}

function isBeginning(type: number): boolean {
  return type === TO_CELL.CALL || type === TO_CELL.PREPARE || type === TO_CELL.UNLOAD;
}

const OVERSIZED = JSON.stringify({ kind: "result", message: GUEST.tooLarge, retryable: false, stack: null });

// Out of a running turn: progress and log lines alone, each on its way before the guest goes on.
function emit(type: unknown, call: unknown, body: unknown): void {
  if (typeof call !== "number" || typeof body !== "string") return;
  if (type === FROM_CELL.PROGRESS || type === FROM_CELL.LOG) writeFrame(type, call, body);
}
