export interface Words {
  readonly count: number;
  readonly distinct: number;
  readonly sentences: number;
  readonly paragraphs: number;
  /** Ties stand in the order of the alphabet, so that the same text always gives the same list. */
  mostFrequent(limit: number): readonly { readonly word: string; readonly count: number }[];
}

export function countWords(text: string, locale: string): Words {
  const bySentence = new Intl.Segmenter(locale, { granularity: "sentence" });
  const byWord = new Intl.Segmenter(locale, { granularity: "word" });
  const counts = new Map<string, number>();
  let count = 0;
  let sentences = 0;
  let paragraphs = 0;
  for (const paragraph of text.split(/\n[^\S\n]*\n/)) {
    if (paragraph.trim() === "") continue;
    paragraphs += 1;
    // A line end inside a paragraph only wraps it; to the segmenter it would end a sentence.
    const flowing = paragraph.replace(/\r?\n/g, " ");
    for (const { segment } of bySentence.segment(flowing)) if (/[\p{L}\p{N}]/u.test(segment)) sentences += 1;
    for (const { segment, isWordLike } of byWord.segment(flowing)) {
      if (isWordLike !== true) continue;
      count += 1;
      const word = segment.toLowerCase();
      counts.set(word, (counts.get(word) ?? 0) + 1);
    }
  }
  return { count, distinct: counts.size, sentences, paragraphs, mostFrequent: (limit) => toRanking(counts, limit) };
}

function toRanking(counts: ReadonlyMap<string, number>, limit: number): { word: string; count: number }[] {
  return Array.from(counts, ([word, count]) => ({ word, count }))
    .sort((a, b) => b.count - a.count || (a.word < b.word ? -1 : 1))
    .slice(0, limit);
}
