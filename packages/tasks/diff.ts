import { applyPatch, createPatch, diffLines, diffWords } from "diff";

export const NAME = "diff";
export const DESCRIPTION = "Words that changed, a patch of a file, and the patch applied.";

const [BEFORE, AFTER] = ["one\ntwo\nthree\n", "one\n2\nthree\nfour\n"];

export function run() {
  const patch = createPatch("list.txt", BEFORE, AFTER, "", "", { context: 1 });
  return {
    words: diffWords("the hot tea", "the cold tea").map(({ value, added, removed }) => `${added ? "+" : removed ? "-" : ""}${value}`),
    lines: diffLines(BEFORE, AFTER).filter(({ added, removed }) => added || removed).length,
    hunk: patch.split("\n").find((line) => line.startsWith("@@")),
    isApplied: applyPatch(BEFORE, patch) === AFTER,
  };
}
