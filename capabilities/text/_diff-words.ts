import { diffArrays } from "diff";
import type { Difference } from "./_diff-lines.ts";

/** The text with its changes marked in place, or null where there are more than `mostEdits` edits. */
export function diffByWord(before: string, after: string, around: number, mostEdits: number): Difference | null {
  const parts = diffArrays(toTokens(before), toTokens(after), { maxEditLength: mostEdits });
  if (parts === undefined) return null;
  const changes = parts.map(({ value, added, removed }) => ({
    change: added ? "added" : removed ? "removed" : "same",
    value: value.join(""),
  }));
  const text = parts.map(({ value, added, removed }, index) => {
    if (added) return `{+${value.join("")}+}`;
    if (removed) return `[-${value.join("")}-]`;
    return toContext(value, around, index > 0, index < parts.length - 1);
  });
  const count = (change: string): number =>
    changes.filter((part) => part.change === change).reduce((sum, part) => sum + countWords(part.value), 0);
  return {
    text: text.join(""),
    added: count("added"),
    removed: count("removed"),
    changes: changes.filter(({ change }) => change !== "same"),
  };
}

/** Words, single marks and stretches of space: joined they are the text again. */
function toTokens(text: string): string[] {
  return text.match(/\s+|[\p{L}\p{M}\p{N}_]+|[^\s\p{L}\p{M}\p{N}_]/gu) ?? [];
}

function countWords(text: string): number {
  return toTokens(text).filter((token) => token.trim() !== "").length;
}

/** An unchanged stretch: `around` words at each end that touches a change, an ellipsis for the rest. */
function toContext(tokens: readonly string[], around: number, isAfterChange: boolean, isBeforeChange: boolean): string {
  const kept = around * 2; // A word and the space beside it.
  const head = isAfterChange ? kept : 0;
  const tail = isBeforeChange ? kept : 0;
  if (tokens.length <= head + tail + 1) return tokens.join("");
  return `${tokens.slice(0, head).join("")} … ${tail > 0 ? tokens.slice(-tail).join("") : ""}`.trimStart();
}
