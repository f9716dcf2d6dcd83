import type { Frame } from "../bridge/frames.ts";
import { FROM_CELL, TO_CELL, type GuestConfig } from "../bridge/messages.ts";
import type { Addon } from "./isolate.ts";
import { Keeper } from "./keeper.ts";
import { FIRST_PIPE, Pipes } from "./pipes.ts";
import type { KeeperSetup } from "./setup.ts";

// Of a turn that has run for so long the host is told: an abort of V8's is then known by whose it was.
const LOOK_MS = 10;

type PlaceSetup = KeeperSetup & { readonly frameBytes: number };

/** Holds as many cells as there are places in this process: each on a pair of pipes of its own, behind the process's own pair. */
export function readPlaces(addon: Addon, setup: PlaceSetup): void {
  for (let index = 1; index <= setup.placeCount; index += 1) new Place(addon, setup, new Pipes(FIRST_PIPE + 2 * index)).read();
}

/** Where one cell stands after the other. Between END and READY the host says nothing, so that no message of one reaches the next. */
class Place {
  readonly #addon: Addon;
  readonly #setup: PlaceSetup;
  readonly #pipes: Pipes;
  #keeper: Keeper | null = null;

  constructor(addon: Addon, setup: PlaceSetup, pipes: Pipes) {
    this.#addon = addon;
    this.#setup = setup;
    this.#pipes = pipes;
  }

  read(): void {
    this.#pipes.readFrames(
      this.#setup.frameBytes,
      (frame) => this.#receive(frame),
      () => this.#keeper?.pause(),
    );
  }

  #receive(frame: Frame): void {
    if (frame.type === TO_CELL.END) return void this.#end();
    if (frame.type === TO_CELL.LOAD) this.#keeper = this.#begin(frame);
    this.#keeper?.receive(frame);
  }

  // An isolate is made when it is known whose it is: an empty place costs nothing.
  #begin({ body }: Frame): Keeper | null {
    const { memoryBytes } = JSON.parse(body.toString("utf8")) as GuestConfig;
    try {
      return new Keeper(this.#addon, { ...this.#setup, watchMs: LOOK_MS, memoryBytes }, this.#pipes);
    } catch {
      // There is no memory for one more: a matter of this cell, and of no other.
      this.#pipes.writeFrame(FROM_CELL.LIMIT, 0, JSON.stringify({ limit: "memory", stopped: false }));
      return null;
    }
  }

  async #end(): Promise<void> {
    const keeper = this.#keeper;
    this.#keeper = null;
    await keeper?.end();
    this.#pipes.writeFrame(FROM_CELL.READY, 0, "");
  }
}
