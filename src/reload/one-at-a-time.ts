/**
 * A task that never runs beside itself: asked for while it runs, it runs once more, so that whoever asked gets what
 * there was to see then. The promise settles when nothing is left to do; it rejects as the task does.
 */
export function oneAtATime(task: () => Promise<void>): () => Promise<void> {
  let isDue = false;
  let running: Promise<void> | null = null;

  async function run(): Promise<void> {
    try {
      while (isDue) {
        isDue = false;
        await task();
      }
    } finally {
      running = null;
    }
  }

  return () => {
    isDue = true;
    running ??= run();
    return running;
  };
}
