/** esbuild's processes, one for a thread at most, as their threads tell of them. */
export interface Processes {
  note(threadId: number, pid: number | null): void;
  /** False where the thread has none. */
  kill(threadId: number): boolean;
  /** For a thread that has ended, which tells of nothing any more. */
  forget(threadId: number): void;
  /**
   * Ends a thread's, and waits until the thread has seen it go: what it has not seen when it ends itself stays in the system's
   * table until the host ends. A thread that is in a tight loop is waited for no longer than `waitMs`.
   */
  end(threadId: number, waitMs: number): Promise<void>;
  /** The same for those of every thread that `isIdle`. */
  retire(isIdle: (threadId: number) => boolean): Promise<void>;
}

/** An idle thread does say so, however busy the machine is. */
const IDLE_WAIT_MS = 5000;

export function createProcesses(): Processes {
  const pids = new Map<number, number>();
  const leaving = new Map<number, PromiseWithResolvers<void>>();

  function note(threadId: number, pid: number | null): void {
    if (pid !== null) {
      pids.set(threadId, pid);
      return;
    }
    pids.delete(threadId);
    leaving.get(threadId)?.resolve();
    leaving.delete(threadId);
  }

  function kill(threadId: number): boolean {
    const pid = pids.get(threadId);
    if (pid === undefined) return false;
    try {
      process.kill(pid, "SIGKILL");
    } catch {
      // It is gone already.
    }
    return true;
  }

  async function end(threadId: number, waitMs: number): Promise<void> {
    if (!kill(threadId)) return;
    const gone = leaving.get(threadId) ?? Promise.withResolvers<void>();
    leaving.set(threadId, gone);
    const timer = setTimeout(gone.resolve, waitMs);
    await gone.promise;
    clearTimeout(timer);
  }

  async function retire(isIdle: (threadId: number) => boolean): Promise<void> {
    await Promise.all([...pids.keys()].filter(isIdle).map((threadId) => end(threadId, IDLE_WAIT_MS)));
  }

  function forget(threadId: number): void {
    pids.delete(threadId);
    leaving.delete(threadId);
  }

  return { note, kill, end, retire, forget };
}
