import type { Call } from "./call.ts";
import { bareArray, GuestMap, mapDelete, mapGet, mapSet } from "./intrinsics.ts";

/** The calls that run, by the numbers that the host gave them. */
export interface Calls {
  find(number: number): Call | undefined;
  add(call: Call): void;
  remove(number: number): void;
}

const PLACES = 64;

/** As the host keeps its own: a Map alone would keep what calls held long after they have ended. */
export function createCalls(): Calls {
  const places = bareArray<Call | null>();
  for (let place = 0; place < PLACES; place += 1) places[place] = null;
  // Those whose place a later one has taken.
  const others = new GuestMap<number, Call>();

  function at(number: number): Call | null {
    const call = places[number & (PLACES - 1)] as Call | null;
    return call !== null && call.number === number ? call : null;
  }

  return {
    find: (number) => at(number) ?? mapGet(others, number),
    add(call) {
      const place = call.number & (PLACES - 1);
      const before = places[place] as Call | null;
      if (before !== null) mapSet(others, before.number, before);
      places[place] = call;
    },
    remove(number) {
      if (at(number) === null) mapDelete(others, number);
      else places[number & (PLACES - 1)] = null;
    },
  };
}
