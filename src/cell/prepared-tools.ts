import { assertLoaded, type CallEnd } from "./call-end.ts";

// So many calls of a tool in a row, none of which computed for longer, and what came before the next may wait for it.
const BRISK_COUNT = 4;
const BRISK_MICROS = 1000;

/** Which tools' modules a cell has evaluated. Each is evaluated once, however many calls wait for it. */
export class PreparedTools {
  readonly #preparing = new Map<string, Promise<void>>();
  /** By name, whether the module says that it has something to unload. */
  readonly #ready = new Map<string, boolean>();
  readonly #cpuMs: number;
  /** How many short calls of each there have been in a row. */
  readonly #short = new Map<string, number>();

  constructor(cpuMs: number) {
    this.#cpuMs = cpuMs;
  }

  has(tool: string): boolean {
    return this.#ready.has(tool);
  }

  /** Takes in what a call of the tool has computed. */
  note(tool: string, cpuMicros: number): void {
    const short = this.#short.get(tool) ?? 0;
    if (cpuMicros > BRISK_MICROS) this.#short.set(tool, 0);
    else if (short < BRISK_COUNT) this.#short.set(tool, short + 1);
  }

  isBrisk(tool: string): boolean {
    return this.#short.get(tool) === BRISK_COUNT;
  }

  names(): readonly string[] {
    return [...this.#ready.keys()];
  }

  withUnload(): readonly string[] {
    return this.names().filter((tool) => this.#ready.get(tool) === true);
  }

  /** Resolves once the module stands; `ask` tells the cell to evaluate it. Rejects with StartError. */
  prepare(tool: string, ask: () => Promise<CallEnd>): Promise<void> {
    let preparing = this.#preparing.get(tool);
    if (preparing === undefined) {
      preparing = ask().then((end) => {
        assertLoaded(end, this.#cpuMs);
        this.#ready.set(tool, end.kind === "result" && end.payload === true);
      });
      this.#preparing.set(tool, preparing);
      // A failure is not kept: the module may succeed on the next try.
      preparing.catch(() => this.#preparing.delete(tool));
    }
    return preparing;
  }
}
