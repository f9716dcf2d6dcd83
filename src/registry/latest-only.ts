import { oneAtATime } from "../reload/one-at-a-time.ts";

/** Runs one task at a time under each key. Asked again while it runs, it runs once more after, however often it was asked. */
export class LatestOnly {
  readonly #running = new Map<string, { readonly again: () => Promise<void>; readonly done: Promise<void> }>();

  /** Resolves once a run that began after this call has ended. Rejects as the task does. */
  run(key: string, task: () => Promise<void>): Promise<void> {
    const running = this.#running.get(key);
    if (running !== undefined) return running.again();
    const again = oneAtATime(task);
    const done = again().finally(() => this.#running.delete(key));
    this.#running.set(key, { again, done });
    return done;
  }

  /** Resolves once nothing runs. Never rejects. */
  async settled(): Promise<void> {
    await Promise.allSettled([...this.#running.values()].map(({ done }) => done));
  }
}
