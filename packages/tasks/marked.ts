import { lexer, marked, Marked } from "marked";

export const NAME = "marked";
export const DESCRIPTION = "Markdown as HTML: a table, nested emphasis, a renderer of its own, and the tokens.";

export async function run() {
  const shouting = new Marked({ renderer: { heading: ({ text, depth }) => `<h${depth}>${text.toUpperCase()}</h${depth}>` } });
  return {
    table: await marked("| a | b |\n|---|--:|\n| 1 | 2 |"),
    inline: marked.parseInline("**bold _both_** `a < b`"),
    heading: shouting.parse("## tea"),
    tokens: lexer("# a\n\n- b\n\n> c").map(({ type }) => type),
  };
}
