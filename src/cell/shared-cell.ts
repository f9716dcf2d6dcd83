import type { Frame } from "../bridge/frames.ts";
import { isEnd, ANNOUNCE, FROM_CELL, TO_CELL, TYPE_MASK } from "../bridge/messages.ts";
import type { CellProcess, Death, EndReason, KillReason } from "./cell-process.ts";

/** What a cell has of the process that it shares. */
export interface SharedGround {
  readonly pid: number | undefined;
  /** The most that the process may hold once all its places are taken. */
  readonly sharedBytes: number;
  send(type: number, call: number, body: string | Buffer): void;
  /** Has the keeper dispose of the isolate; the process goes on. */
  leave(cell: SharedCell): void;
  /** Ends the process, and with it every cell in it. */
  bringDown(cell: SharedCell, reason: KillReason): void;
  look(): void;
}

/**
 * One cell of a process that holds several. Its end is the end of its isolate: the process ends with it only where the keeper
 * cannot be trusted any more, or does not get the isolate to stop.
 */
export class SharedCell implements CellProcess {
  readonly closed: Promise<Death>;
  readonly capability: string;
  onFrame: (frame: Frame) => void = () => undefined;
  onStuck: () => void = () => undefined;
  readonly #ground: SharedGround;
  readonly #settle: (death: Death) => void;
  /** What was asked of it and has no end yet, with whether that has begun. */
  readonly #open = new Map<number, boolean>();
  #isBusy = false;
  #killedFor: KillReason | null = null;

  constructor(capability: string, ground: SharedGround) {
    ({ promise: this.closed, resolve: this.#settle } = Promise.withResolvers<Death>());
    this.capability = capability;
    this.#ground = ground;
  }

  get pid(): number | undefined {
    return this.#ground.pid;
  }

  get sharedBytes(): number {
    return this.#ground.sharedBytes;
  }

  get isKilled(): boolean {
    return this.#killedFor !== null;
  }

  get killedFor(): KillReason | null {
    return this.#killedFor;
  }

  /** How likely the end of the process is its doing: a turn of it has run for a while, something of it has begun, nothing has. */
  get suspicion(): 0 | 1 | 2 {
    if (this.#isBusy) return 2;
    return [...this.#open.values()].includes(true) ? 1 : 0;
  }

  send(type: number, call: number, body: string | Buffer): void {
    if (this.#killedFor !== null) return;
    if (isBeginning(type & TYPE_MASK)) this.#open.set(call, (type & ANNOUNCE) === 0);
    this.#ground.send(type, call, body);
  }

  sendSoon(type: number, call: number, body: string): void {
    this.send(type, call, body);
  }

  // It tells of each.
  lastBegun(): number {
    return -1;
  }

  kill(reason: KillReason): void {
    if (this.#killedFor !== null) return;
    this.#killedFor = reason;
    if (reason === "protocol") this.#ground.bringDown(this, reason);
    else this.#ground.leave(this);
  }

  look(): void {
    this.#ground.look();
  }

  /** A frame of it has arrived. */
  receive(frame: Frame): void {
    if (this.#killedFor !== null) return;
    if (frame.type === FROM_CELL.BUSY) return void (this.#isBusy = true);
    if (frame.type === FROM_CELL.ALIVE) this.#isBusy = false;
    else if (frame.type === FROM_CELL.STARTED && this.#open.has(frame.call)) this.#open.set(frame.call, true);
    else if (isEnd(frame.type)) this.#open.delete(frame.call);
    this.onFrame(frame);
  }

  /** Called once, when nothing of it runs any more. */
  end(death: Omit<Death, "killedFor">, killedFor: EndReason | null): void {
    this.#settle({ ...death, killedFor });
  }
}

function isBeginning(type: number): boolean {
  return type === TO_CELL.BUNDLE || type === TO_CELL.PREPARE || type === TO_CELL.CALL || type === TO_CELL.UNLOAD;
}
