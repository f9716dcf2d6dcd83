import { assertLoaded, type CallEnd } from "./call-end.ts";

/** Which tools' modules a cell has evaluated. Each is evaluated once, however many calls wait for it. */
export class PreparedTools {
  readonly #preparing = new Map<string, Promise<void>>();
  /** By name, whether the module says that it has something to unload. */
  readonly #ready = new Map<string, boolean>();
  readonly #cpuMs: number;

  constructor(cpuMs: number) {
    this.#cpuMs = cpuMs;
  }

  has(tool: string): boolean {
    return this.#ready.has(tool);
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
