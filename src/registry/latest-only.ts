/** Runs one task at a time under each key. Asked again while it runs, it runs once more after, however often it was asked. */
export class LatestOnly {
  readonly #running = new Map<string, { isWanted: boolean; readonly done: Promise<void> }>();

  /** Resolves once a run that began after this call has ended. Rejects as the task does. */
  run(key: string, task: () => Promise<void>): Promise<void> {
    const running = this.#running.get(key);
    if (running !== undefined) {
      running.isWanted = true;
      return running.done;
    }
    const state = { isWanted: true, done: Promise.resolve() };
    const turns = async (): Promise<void> => {
      try {
        while (state.isWanted) {
          state.isWanted = false;
          await task();
        }
      } finally {
        this.#running.delete(key);
      }
    };
    state.done = turns();
    this.#running.set(key, state);
    return state.done;
  }

  /** Resolves once nothing runs. Never rejects. */
  async settled(): Promise<void> {
    await Promise.allSettled([...this.#running.values()].map(({ done }) => done));
  }
}
