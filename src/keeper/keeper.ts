import type { Frame } from "../bridge/frames.ts";
import { ANNOUNCE, BRISK, FROM_CELL, TO_CELL, TYPE_MASK, type GuestConfig, type LimitBody } from "../bridge/messages.ts";
import { GUEST } from "../catalogue/texts.ts";
import type { Addon, Ending, Guest, TurnEnd } from "./isolate.ts";
import { collector } from "./collector.ts";
import { Meters } from "./meters.ts";
import { Natives } from "./natives/natives.ts";
import { Outbox } from "./outbox.ts";
import { endProcess, writeMark, type Pipes } from "./pipes.ts";
import type { KeeperSetup } from "./setup.ts";
import { Timers } from "./timers.ts";

interface Turn {
  readonly type: number;
  /** The message's number: the call's, or the timer's. */
  readonly call: number;
  readonly body: string;
  /** The call that the turn is reckoned to. */
  readonly owner: number;
  readonly isAnnounced: boolean;
  readonly isBrisk: boolean;
}

// For so long what calls have left is kept back while others that are short wait for their turns. Were it for longer, the host
// would have nothing to do meanwhile, and this process nothing while the host takes all of it in.
const HOLD_MS = 0.2;

/**
 * Runs the guest's turns, one after the other, and carries messages between it and the host. It never reads what they say.
 * What a turn leaves is written when there is nothing more to do at once, or when the next turn begins.
 */
export class Keeper {
  /** Gone once it is known whose cell this is: what guests are made of is as large as all that a small one holds. */
  #addon: Addon | null;
  readonly #setup: KeeperSetup;
  readonly #pipes: Pipes;
  readonly #waiting: Turn[] = [];
  readonly #timers = new Timers((timer, owner) => {
    this.#push({ type: TO_CELL.TIMER, call: timer, body: "", owner, isAnnounced: false, isBrisk: false });
    this.pause();
  });
  #current: { readonly turn: Turn; readonly startedAt: number } | null = null;
  #watch: NodeJS.Timeout | null = null;
  readonly #meters = new Meters(() => this.#guest.heapBytes());
  readonly #natives = new Natives();
  readonly #outbox = new Outbox();
  readonly #surroundings: Parameters<Addon["createGuest"]>[1];
  #guest: Guest;
  #cpuMs: number;
  #memoryBytes: number;
  #residentBytes: number;
  #isInTurn = false;
  /** Settles with the turn that runs beside this thread. */
  #running: Promise<void> | null = null;
  /** Said of a turn that has run for a while, in a process of several cells. */
  #isBusy = false;
  #isOver = false;
  /** When the host was last written to, as far as was seen between turns. */
  #saidAt = 0;
  #said = 0;
  #flushedAt = 0;
  /** When the last turn ended. */
  #endedAt = 0;

  constructor(addon: Addon, setup: KeeperSetup, pipes: Pipes) {
    this.#addon = addon;
    this.#setup = setup;
    this.#pipes = pipes;
    this.#surroundings = {
      emit: (type: unknown, call: unknown, body: unknown) => this.#emit(type, call, body),
      native: this.#natives.call,
      outbox: this.#outbox.memory,
    };
    this.#guest = addon.createGuest(setup.memoryBytes, this.#surroundings);
    this.#cpuMs = setup.cpuMs;
    this.#memoryBytes = setup.memoryBytes;
    this.#residentBytes = setup.residentBytes;
  }

  receive({ type: told, call, body }: Frame): void {
    const type = told & TYPE_MASK;
    const text = body.toString(type === TO_CELL.ANSWER_BYTES ? "latin1" : "utf8");
    this.#push({ type, call, body: text, owner: call, isAnnounced: (told & ANNOUNCE) !== 0, isBrisk: (told & BRISK) !== 0 });
  }

  /** Nothing more has arrived. */
  pause(): void {
    if (!this.#isInTurn) this.#flush(this.#endedAt);
  }

  #flush(now: number): void {
    this.#flushedAt = now;
    this.#pipes.flushFrames();
  }

  /** Ends the guest, whatever it does; resolves once no turn of it runs any more. Nothing more is said. */
  async end(): Promise<void> {
    this.#lose();
    await this.#running;
  }

  #lose(): void {
    this.#isOver = true;
    this.#waiting.length = 0;
    this.#timers.clearAll();
    clearInterval(this.#watch ?? undefined);
    this.#guest.dispose();
  }

  // Before the turn begins: where that is the end of this process, the host has to know whose turn it was.
  #announce(call: number): void {
    if (this.#setup.hasMark) return writeMark(call);
    this.#pipes.writeFrame(FROM_CELL.STARTED, call, "");
  }

  #push(turn: Turn): void {
    if (this.#isOver) return;
    this.#waiting.push(turn);
    this.#runTurns();
  }

  #runTurns(): void {
    while (!this.#isInTurn) {
      const turn = this.#waiting.shift();
      if (turn === undefined) return;
      this.#isInTurn = true;
      collector.turnBegins();
      const ended = this.#runTurn(turn);
      if (ended === undefined) this.#turnEnds();
      else this.#running = ended.then(() => this.#runOn());
    }
  }

  #runOn(): void {
    this.#turnEnds();
    this.#runTurns();
    this.pause();
  }

  #turnEnds(): void {
    this.#isInTurn = false;
    collector.turnEnds();
  }

  #runTurn(turn: Turn): void | Promise<void> {
    if (turn.isAnnounced) this.#announce(turn.call);
    const startedAt = performance.now();
    // What is held waits for a turn that will be short, and no longer than for a few of those.
    if (!turn.isBrisk || startedAt - this.#flushedAt > HOLD_MS) this.#flush(startedAt);
    if (turn.type === TO_CELL.LOAD) this.#applyConfig(JSON.parse(turn.body) as GuestConfig);
    this.#natives.begin(turn.owner);
    const ending =
      turn.type === TO_CELL.BUNDLE ? this.#runBundle(turn) : this.#guest.turn(turn.type, turn.call, turn.body, this.#cpuMs, startedAt);
    if (ending instanceof Promise) this.#watchTurn(turn, startedAt);
    return whenDone(ending, (end) => {
      this.#current = null;
      this.#account(turn, startedAt);
      this.#conclude(turn, end);
    });
  }

  // What a turn takes is what it computes: it waits for nothing.
  #account(turn: Turn, startedAt: number): void {
    const endedAt = performance.now();
    this.#endedAt = endedAt;
    if (this.#isOver) return;
    this.#sayAlive(endedAt);
    if (!this.#meters.add(turn.owner, (endedAt - startedAt) * 1000, isBeginning(turn.type))) this.#natives.endCall(turn.owner);
  }

  // From outside, many turns in silence look like one that does not end.
  #sayAlive(now: number): void {
    const isSilent = this.#said === this.#pipes.writeCount && now - this.#saidAt > this.#setup.graceMs / 2;
    if (isSilent || this.#isBusy) this.#pipes.writeFrame(FROM_CELL.ALIVE, 0, "");
    this.#isBusy = false;
    if (this.#said === this.#pipes.writeCount) return;
    this.#said = this.#pipes.writeCount;
    this.#saidAt = now;
  }

  #watchTurn(turn: Turn, startedAt: number): void {
    this.#current = { turn, startedAt };
    this.#watch ??= setInterval(() => this.#look(), this.#setup.watchMs);
  }

  // This thread is free while the guest's is busy, also where nothing can interrupt it any more.
  #look(): void {
    if (this.#current === null) {
      clearInterval(this.#watch ?? undefined);
      this.#watch = null;
      return;
    }
    const { turn, startedAt } = this.#current;
    if (this.#setup.placeCount > 0 && !this.#isBusy) return this.#sayBusy(startedAt);
    if (residentBytes() > this.#residentBytes) {
      this.#reportLimit(turn.owner, { limit: "memory", stopped: false });
      endProcess();
    }
    if (performance.now() - startedAt > this.#cpuMs + this.#setup.graceMs) this.#reportLimit(turn.owner, { limit: "cpu", stopped: false });
  }

  // Where the process dies nobody can say any more whose turn it was.
  #sayBusy(startedAt: number): void {
    if (performance.now() - startedAt < this.#setup.watchMs) return;
    this.#isBusy = true;
    this.#pipes.writeFrame(FROM_CELL.BUSY, 0, "");
  }

  // The spare's isolate was made before anyone knew whose it would be.
  #applyConfig(config: GuestConfig): void {
    this.#cpuMs = config.cpuMs;
    this.#residentBytes = config.residentBytes;
    this.#natives.limits = config.guest;
    if (config.memoryBytes !== this.#memoryBytes && this.#addon !== null) {
      this.#guest.dispose();
      this.#memoryBytes = config.memoryBytes;
      this.#guest = this.#addon.createGuest(config.memoryBytes, this.#surroundings);
    }
    this.#addon = null;
    collector.start();
  }

  #runBundle(turn: Turn): Ending {
    return whenDone(this.#guest.runBundle(turn.body, this.#cpuMs), (end) => {
      if (end.kind === "failed")
        this.#pipes.writeFrame(FROM_CELL.FAILURE, 0, JSON.stringify({ kind: "load", message: end.message, retryable: false, stack: null }));
      return end;
    });
  }

  // What a turn that was stopped has left is sent all the same.
  #conclude(turn: Turn, end: TurnEnd): void {
    if (this.#isOver) return;
    if (end.kind === "memory") {
      this.#reportLimit(turn.owner, { limit: "memory", stopped: false });
      return this.#endGuest();
    }
    if (end.kind === "cpu") this.#reportLimit(turn.owner, { limit: "cpu", stopped: true });
    if (end.kind === "failed" && turn.type !== TO_CELL.BUNDLE)
      this.#pipes.writeFrame(FROM_CELL.LOG, turn.owner, JSON.stringify(["error", `Unhandled: ${end.message}`]));
    this.#outbox.take(this.#send);
  }

  // The isolate is gone. Alone in its process it takes that with it; the cells beside it go on.
  #endGuest(): void {
    if (this.#setup.placeCount === 0) endProcess();
    this.#lose();
  }

  // Out of a running turn: what is to be known before the guest goes on, and what has no room in the outbox.
  #emit(type: unknown, call: unknown, body: unknown): void {
    if (this.#isOver || typeof type !== "number" || typeof call !== "number" || typeof body !== "string") return;
    if (type === FROM_CELL.PROGRESS || type === FROM_CELL.LOG) return this.#pipes.writeFrame(type, call, body);
    this.#outbox.take(this.#send);
    this.#send(type, call, body);
  }

  readonly #send = (type: number, call: number, body: Buffer | string): void => {
    switch (type) {
      case FROM_CELL.SET_TIMER:
        this.#timers.set(call, body.toString());
        break;
      case FROM_CELL.CLEAR_TIMER:
        this.#timers.clear(call);
        break;
      case FROM_CELL.RESULT:
      case FROM_CELL.RESULT_TEXT:
      case FROM_CELL.FAILURE:
      case FROM_CELL.PREPARED:
        this.#sendEnd(type, call, body);
        break;
      case FROM_CELL.POWER_BYTES:
        this.#pipes.writeFrame(type, call, typeof body === "string" ? Buffer.from(body, "latin1") : body);
        break;
      default:
        this.#pipes.holdFrame(type, call, body);
    }
  };

  #sendEnd(type: number, call: number, body: Buffer | string): void {
    const meter = this.#meters.take(call, this.#endedAt);
    this.#natives.endCall(call);
    // A unit is three bytes at most.
    const isSmall = body.length * 3 <= this.#setup.bodyBytes || Buffer.byteLength(body) <= this.#setup.bodyBytes;
    if (isSmall) this.#pipes.holdFrame(type, call, body, meter);
    else this.#pipes.holdFrame(FROM_CELL.FAILURE, call, OVERSIZED, meter);
  }

  #reportLimit(call: number, body: LimitBody): void {
    this.#pipes.writeFrame(FROM_CELL.LIMIT, call, JSON.stringify(body));
  }
}

// A guest on this thread is done at once: a promise for each of its turns would cost as much as the turn's own bookkeeping.
function whenDone<Value, Result>(value: Value | Promise<Value>, act: (value: Value) => Result | Promise<Result>): Result | Promise<Result> {
  return value instanceof Promise ? value.then(act) : act(value);
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
