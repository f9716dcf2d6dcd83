import TurndownService from "turndown";

export const NAME = "turndown";
export const DESCRIPTION = "HTML as Markdown: a heading, emphasis, a link, a list, code, and a rule of its own.";

const HTML = `<h2>Tea</h2><p>Very <em>hot</em>, <strong>strong</strong> and <a href="/t">good</a>; not <del>cold</del>.</p>
<ol><li>Boil</li><li>Wait</li></ol><pre><code>pour()</code></pre>`;

export function run() {
  const service = new TurndownService({ headingStyle: "atx", codeBlockStyle: "fenced" });
  service.addRule("struck", { filter: ["del"], replacement: (content) => `~~${content}~~` });
  return { markdown: service.turndown(HTML) };
}
