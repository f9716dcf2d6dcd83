import type { Row } from "./database.ts";
import { lifeOf, ownMark, readMark } from "./process-mark.ts";

interface Seen {
  readonly beat: number;
  readonly at: number;
}

/**
 * Tells which workers are gone. One whose process can be looked for is looked for, however long it is silent; of any other,
 * such as one in another container, the beats are watched. Time is this process's own and only ever moves on.
 */
export class WorkerWatch {
  readonly #own = ownMark();
  #seen = new Map<string, Seen>();

  gone(workers: readonly Row[], silentMs: number): readonly string[] {
    const seen = new Map<string, Seen>();
    const now = performance.now();
    const gone = workers.filter((worker) => {
      const [id, beat] = [String(worker["id"]), Number(worker["beat"])];
      const life = lifeOf(readMark(String(worker["mark"])), this.#own);
      if (life !== "unknown") return life === "dead";
      const last = this.#seen.get(id);
      const since = last?.beat === beat ? last : { beat, at: now };
      seen.set(id, since);
      return now - since.at >= silentMs;
    });
    this.#seen = seen;
    return gone.map(({ id }) => String(id));
  }
}
