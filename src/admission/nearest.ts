/** The candidate that takes the fewest edits to reach from `word`. */
export function nearest(word: string, candidates: Iterable<string>): string {
  let best = "";
  let fewest = Infinity;
  // A long word is a typing error of nothing, and would only cost time.
  const from = word.slice(0, 64);
  for (const candidate of candidates) {
    const edits = countEdits(from.toLowerCase(), candidate.toLowerCase());
    if (edits < fewest) [best, fewest] = [candidate, edits];
  }
  return best;
}

function countEdits(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, column) => column);
  for (const [index, letter] of from.split("").entries()) {
    const next = [index + 1];
    for (let column = 1; column <= to.length; column += 1) {
      const left = next[column - 1] ?? 0;
      const above = row[column] ?? 0;
      const diagonal = row[column - 1] ?? 0;
      next.push(Math.min(left + 1, above + 1, diagonal + (letter === to[column - 1] ? 0 : 1)));
    }
    row = next;
  }
  return row[to.length] ?? to.length;
}
