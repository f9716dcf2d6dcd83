import { customAlphabet, customRandom, nanoid, urlAlphabet } from "nanoid";

export const NAME = "nanoid";
export const DESCRIPTION = "Ids of a length, all different, of an alphabet, and of a random source of its own.";

export function run() {
  const ids = new Set(Array.from({ length: 1000 }, () => nanoid()));
  const fixed = customRandom("abcdef", 6, (size) => new Uint8Array(size).fill(2));
  return {
    length: nanoid().length,
    count: ids.size,
    isPlain: [...ids].every((id) => [...id].every((letter) => urlAlphabet.includes(letter))),
    isOfAlphabet: /^[01]{12}$/u.test(customAlphabet("01", 12)()),
    fixed: fixed(),
  };
}
