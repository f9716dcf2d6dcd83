// RFC 5893, for code points that a label may have. Which of them run from right to left is a matter of their blocks.

const RIGHT_TO_LEFT = /^[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]$/u;
const ARABIC_NUMBER = /^[\u0660-\u0669\u{10d30}-\u{10d39}]$/u;
const EUROPEAN_NUMBER = /^[0-9\u06f0-\u06f9]$/u;
const MARK = /^\p{Mn}$/u;
const NEUTRAL = /^[-\u00b7\u0375\u30fb\u02b9\u02ba\u02c6-\u02cf\u02ec\u200c-\u200d\u2e2f\ua67f\ua717-\ua71f\ua788]$/u;

type Direction = "left" | "right" | "arabic-number" | "number" | "mark" | "neutral";

/** Whether a domain of these labels reads in one order: all of them keep to the rule as soon as one runs to the left. */
export function keepsDirection(labels: readonly string[]): boolean {
  const directions = labels.map((label) => Array.from(label, toDirection));
  const isBidi = directions.flat().some((direction) => direction === "right" || direction === "arabic-number");
  return !isBidi || directions.every(keepsRule);
}

function toDirection(character: string): Direction {
  if (ARABIC_NUMBER.test(character)) return "arabic-number";
  if (EUROPEAN_NUMBER.test(character)) return "number";
  if (MARK.test(character)) return "mark";
  if (NEUTRAL.test(character)) return "neutral";
  return RIGHT_TO_LEFT.test(character) ? "right" : "left";
}

/** Section 2, rules 1 to 6. */
function keepsRule(directions: readonly Direction[]): boolean {
  const last = directions.findLast((direction) => direction !== "mark");
  if (directions[0] === "right") {
    const hasBothNumbers = directions.includes("number") && directions.includes("arabic-number");
    return !directions.includes("left") && !hasBothNumbers && last !== undefined && last !== "neutral";
  }
  const isForeign = directions.includes("right") || directions.includes("arabic-number");
  return directions[0] === "left" && !isForeign && (last === "left" || last === "number");
}
