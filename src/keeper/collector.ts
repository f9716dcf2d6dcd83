import type * as V8 from "node:v8";

/** All garbage goes, and with it what was compiled and can be compiled again. */
const COLLECTION = { type: "major", execution: "sync", flavor: "last-resort" } as const;
const REST_MS = 1000;
// A tool that is called now and then has not used up as much, and never waits for a collection.
const GROWN_BYTES = 4 * 1024 * 1024;

// What this process's own heap held when it was last collected. What a start leaves is always collected.
let leftBytes = -Infinity;

/**
 * Collects this process's own heap once nothing was done in it for a second and it has grown: a start leaves three
 * megabytes there, and large messages leave more. Meanwhile no message is read, so that all the cells of the process have to rest.
 */
class Collector {
  #isOn = false;
  /** Turns that run now. */
  #running = 0;
  /** Turns that have begun. */
  #count = 0;
  /** Whether the timer runs: one for however much is done meanwhile. */
  #isWaiting = false;

  /** A cell is somebody's from now on: a spare stands ready, and is left as it is. */
  start(): void {
    this.#isOn = true;
  }

  turnBegins(): void {
    this.#running += 1;
    this.#count += 1;
    if (this.#isOn && !this.#isWaiting) this.#wait();
  }

  turnEnds(): void {
    this.#running -= 1;
  }

  #wait(): void {
    this.#isWaiting = true;
    const before = this.#count;
    setTimeout(() => {
      this.#isWaiting = false;
      if (before !== this.#count || this.#running > 0) this.#wait();
      else collectIfGrown();
    }, REST_MS);
  }
}

export const collector = new Collector();

function collectIfGrown(): void {
  if (heapBytes() - leftBytes < GROWN_BYTES) return;
  takeCollector()(COLLECTION);
  leftBytes = heapBytes();
}

// V8 gives its collector to each context that is made while a flag stands: to this one, and to none of a guest's. Were the flag
// there from the start, V8 would take nothing of what Node was compiled to.
function takeCollector(): (options: typeof COLLECTION) => void {
  const { setFlagsFromString } = v8();
  setFlagsFromString("--expose-gc");
  try {
    return process.getBuiltinModule("node:vm").runInNewContext("gc") as (options: typeof COLLECTION) => void;
  } finally {
    setFlagsFromString("--no-expose-gc");
  }
}

function heapBytes(): number {
  return v8().getHeapStatistics().total_heap_size;
}

// A start has no use for it, and would wait for it.
function v8(): typeof V8 {
  return process.getBuiltinModule("node:v8");
}
