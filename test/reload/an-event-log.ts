import type { Engine, EventName } from "toolcell";
import { EVENT_NAMES } from "../../src/engine/events.ts";

/** Every event of an engine from now on, as lines: its name, its capability, and what else it says. */
export class EventLog {
  readonly lines: string[] = [];
  #onLine: (() => void) | null = null;

  constructor(engine: Engine) {
    for (const name of EVENT_NAMES) {
      engine.on(name, (event) => {
        this.lines.push(`${name} ${JSON.stringify(event)}`);
        this.#onLine?.();
      });
    }
  }

  /** Resolves once an event of this name, whose text fits, has come. */
  async seen(name: EventName, text = ""): Promise<string> {
    for (;;) {
      const line = this.lines.find((known) => known.startsWith(`${name} `) && known.includes(text));
      if (line !== undefined) return line;
      await new Promise<void>((resolve) => (this.#onLine = resolve));
    }
  }
}
