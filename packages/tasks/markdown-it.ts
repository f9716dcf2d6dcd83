import MarkdownIt from "markdown-it";

export const NAME = "markdown_it";
export const DESCRIPTION = "Markdown as HTML: a link found in text, typographic quotes, code, and a plugin.";

export function run() {
  const markdown = new MarkdownIt({ linkify: true, typographer: true, html: false });
  markdown.use((md) => {
    md.renderer.rules["strong_open"] = () => "<b>";
    md.renderer.rules["strong_close"] = () => "</b>";
  });
  return {
    link: markdown.render('See https://example.com/a "there"'),
    plugin: markdown.renderInline("so **bold** -- <i>x</i>"),
    fence: markdown.render("```js\na < b\n```"),
  };
}
