import { formatPatch, structuredPatch } from "diff";

export interface Difference {
  readonly text: string;
  readonly added: number;
  readonly removed: number;
  readonly changes: readonly unknown[];
}

/** A unified diff, or null where there are more than `mostEdits` edits. */
export function diffByLine(before: string, after: string, around: number, mostEdits: number): Difference | null {
  const patch = structuredPatch("before", "after", before, after, "", "", { context: around, maxEditLength: mostEdits });
  if (patch === undefined) return null;
  const lines = patch.hunks.flatMap((hunk) => hunk.lines);
  return {
    // Without the line of equals signs that jsdiff puts on top: git and patch do not write it.
    text: formatPatch(patch).replace(/^=+\n/, "").trimEnd(),
    added: lines.filter((line) => line.startsWith("+")).length,
    removed: lines.filter((line) => line.startsWith("-")).length,
    changes: patch.hunks,
  };
}
