/** A generator of the same numbers for the same seed: a property that fails fails again. */
export interface Random {
  /** A whole number from 0 to below `bound`. */
  below(bound: number): number;
  pick<T>(from: readonly T[]): T;
}

export function seededRandom(seed: number): Random {
  // mulberry32
  let state = seed;
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (bound: number): number => Math.floor(next() * bound);
  return {
    below,
    pick: (from) => {
      const [first] = from;
      const picked = from[below(from.length)] ?? first;
      if (picked === undefined) throw new Error("There is nothing to pick from");
      return picked;
    },
  };
}
