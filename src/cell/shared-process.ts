import type { Socket } from "node:net";
import { encodeFrame, FrameReader, type Frame } from "../bridge/frames.ts";
import { FROM_CELL, TO_CELL } from "../bridge/messages.ts";
import type { Death, KillReason } from "./cell-process.ts";
import type { KeeperProcess } from "./keeper-process.ts";
import { largestFromCell, largestShared, type CellLimits } from "./limits.ts";
import { SharedCell, type SharedGround } from "./shared-cell.ts";
import { suspectsOf } from "./suspects.ts";

export interface SharedParts {
  readonly limits: CellLimits;
  /** Called once, when nobody may come in any more. */
  onOver(): void;
  /** Whose doing the end of the process is, or may be. */
  onSuspects(capabilities: readonly string[], isCertain: boolean): void;
}

/** A keeper's process with places for several cells of one trust, each on pipes of its own. It ends with the last of them. */
export class SharedProcess {
  readonly closed: Promise<Death>;
  readonly #parts: SharedParts;
  readonly #keeper: KeeperProcess;
  readonly #places: readonly Place[];
  #isOver = false;
  #lookedAt = -Infinity;
  /** The cell for which the process was ended. */
  #culprit: SharedCell | null = null;

  constructor(keeper: KeeperProcess, parts: SharedParts) {
    this.#keeper = keeper;
    this.#parts = parts;
    const { placePipes } = keeper;
    this.#places = Array.from({ length: placePipes.length / 2 }, (_, index) => {
      const [input, output] = placePipes.slice(2 * index, 2 * index + 2) as [Socket, Socket];
      return new Place(input, output, largestFromCell(parts.limits), {
        onFree: () => this.#onFree(),
        onBreach: (cell) => this.#bringDown(cell, "protocol"),
      });
    });
    this.closed = keeper.closed.then((death) => (this.#onClosed(death), death));
  }

  /** A place for a capability's cell, or null where there is none. */
  take(capability: string, memoryBytes: number): SharedCell | null {
    // While it is not known whether an isolate in it stops, nobody new comes in.
    const place = this.#isOver || this.#isInDoubt() ? undefined : this.#places.find(({ isFree }) => isFree);
    return place?.take(capability, memoryBytes, this.#groundOf(place)) ?? null;
  }

  #isInDoubt(): boolean {
    return this.#places.some(({ cell }) => cell?.isKilled === true && cell.killedFor !== "done");
  }

  kill(reason: KillReason): void {
    this.#endTaking();
    this.#keeper.kill(reason);
  }

  #groundOf(place: Place): SharedGround {
    const { limits } = this.#parts;
    return {
      pid: this.#keeper.pid,
      sharedBytes: largestShared(
        limits,
        this.#places.map(() => limits.memoryBytes),
      ),
      send: (type, call, body) => place.send(type, call, body),
      leave: (cell) => this.#stop(place, cell),
      bringDown: (cell, reason) => this.#bringDown(cell, reason),
      look: () => this.#look(),
    };
  }

  // An isolate in native code that does not come back cannot be disposed of: then the process goes, and all that is in it.
  #stop(place: Place, cell: SharedCell): void {
    const overdue = setTimeout(() => this.#bringDown(cell, "stuck"), this.#parts.limits.graceMs);
    void cell.closed.then(() => clearTimeout(overdue));
    place.stop();
  }

  #bringDown(cell: SharedCell | null, reason: KillReason): void {
    if (this.#isOver) return;
    this.#culprit = cell;
    // Known before the process is gone: its next call may come first.
    if (cell !== null) this.#parts.onSuspects([cell.capability], true);
    this.kill(reason);
  }

  // Once for all cells that are looked at together.
  #look(): void {
    const now = performance.now();
    if (now - this.#lookedAt < this.#parts.limits.watchMs / 2) return;
    this.#lookedAt = now;
    const largest = largestShared(
      this.#parts.limits,
      this.#places.map(({ memoryBytes }) => memoryBytes),
    );
    if ((this.#keeper.residentBytes() ?? 0) > largest) this.#bringDown(null, "memory");
  }

  #onFree(): void {
    if (this.#places.every(({ isFree }) => isFree)) this.kill("done");
  }

  #endTaking(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#parts.onOver();
  }

  #onClosed(death: Death): void {
    this.#endTaking();
    const cells = this.#places.map(({ cell }) => cell).filter((cell) => cell !== null);
    const suspects = this.#culprit === null ? suspectsOf(cells, death) : [this.#culprit];
    if (this.#culprit === null) this.#parts.onSuspects(namesOf(suspects), suspects.length === 1);
    // Whoever has taken a process over may write on any pipe of it: that one was not the only one to be looked at alone.
    if (death.killedFor === "protocol") this.#parts.onSuspects(namesOf(cells), false);
    const { killedFor, ...rest } = death;
    const isOfAll = killedFor === "closed" || killedFor === "done";
    for (const cell of cells) {
      const isCertain = suspects.length === 1 && suspects[0] === cell;
      // The last words of the process are told to those alone whose they may be.
      const told = suspects.includes(cell) ? rest : { ...rest, stderr: "" };
      cell.end(told, cell.killedFor ?? (isCertain || isOfAll ? killedFor : "shared"));
    }
  }
}

function namesOf(cells: readonly SharedCell[]): readonly string[] {
  return cells.map(({ capability }) => capability);
}

interface PlaceEvents {
  onFree(): void;
  onBreach(cell: SharedCell | null): void;
}

/** Two pipes, and whose they are now. */
class Place {
  readonly #input: Socket;
  readonly #events: PlaceEvents;
  cell: SharedCell | null = null;
  /** The most that a cell here was allowed: what one leaves behind in the process may stay there. */
  memoryBytes = 0;

  constructor(input: Socket, output: Socket, bodyBytes: number, events: PlaceEvents) {
    this.#input = input;
    this.#events = events;
    const reader = new FrameReader(bodyBytes, (frame) => this.#receive(frame));
    let isBroken = false;
    output.on("data", (chunk: Buffer) => {
      if (isBroken) return;
      try {
        reader.push(chunk);
      } catch {
        isBroken = true;
        events.onBreach(this.cell);
      }
    });
  }

  get isFree(): boolean {
    return this.cell === null;
  }

  take(capability: string, memoryBytes: number, ground: SharedGround): SharedCell {
    this.memoryBytes = Math.max(this.memoryBytes, memoryBytes);
    this.cell = new SharedCell(capability, ground);
    return this.cell;
  }

  send(type: number, call: number, body: string | Buffer): void {
    if (this.#input.writable) this.#input.write(encodeFrame(type, call, body));
  }

  stop(): void {
    this.send(TO_CELL.END, 0, "");
  }

  #receive(frame: Frame): void {
    const { cell } = this;
    // Nobody is here to say anything, and nobody was told to end.
    if (cell === null || (frame.type === FROM_CELL.READY && !cell.isKilled)) return this.#events.onBreach(cell);
    if (frame.type !== FROM_CELL.READY) return cell.receive(frame);
    this.cell = null;
    cell.end({ signal: null, exitCode: null, stderr: "" }, cell.killedFor);
    this.#events.onFree();
  }
}
