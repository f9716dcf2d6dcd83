/** Takes what one call took, in microseconds; of what is no time, the figure itself. */
export type Note = (value: number) => void;

/** One side of a comparison. */
export interface Contender {
  readonly name: string;
  /** Does its work `count` times and notes each. */
  readonly run: (count: number, note: Note) => Promise<void>;
  /** Processes whose work is its own, beside what this process does meanwhile. Without it no CPU time is told. */
  readonly pids?: () => readonly number[];
  /** It waits between its calls, or prepares them: how many it makes in a second says nothing. */
  readonly isPaced?: true;
}

/** Calls one after the other, each timed by itself. */
export function oneByOne(name: string, call: () => unknown, pids?: () => readonly number[]): Contender {
  const run = async (count: number, note: Note): Promise<void> => {
    for (let made = 0; made < count; made += 1) {
      const begun = performance.now();
      await call();
      note((performance.now() - begun) * 1000);
    }
  };
  return { name, run, ...(pids === undefined ? {} : { pids }) };
}

/** Calls `width` at a time: as one ends the next is made. What each notes has its wait for the others in it. */
export function manyAtOnce(name: string, width: number, call: (index: number) => unknown, pids?: () => readonly number[]): Contender {
  const run = async (count: number, note: Note): Promise<void> => {
    let made = 0;
    const line = async (): Promise<void> => {
      while (made < count) {
        const begun = performance.now();
        await call(made++);
        note((performance.now() - begun) * 1000);
      }
    };
    await Promise.all(Array.from({ length: Math.min(width, count) }, line));
  };
  return { name, run, ...(pids === undefined ? {} : { pids }) };
}
