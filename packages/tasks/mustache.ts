import Mustache from "mustache";

export const NAME = "mustache";
export const DESCRIPTION = "A template with a section, an inverted one, a lambda, a partial and escaping.";

export function run() {
  const view = {
    items: [{ name: "tea" }, { name: "jam" }],
    empty: [],
    loud: () => (text: string, render: (text: string) => string) => render(text).toUpperCase(),
    html: "<b>",
  };
  const template = "{{#items}}{{>item}};{{/items}}{{^empty}}none{{/empty}} {{#loud}}{{html}} {{items.length}}{{/loud}} {{{html}}}";
  return { filled: Mustache.render(template, view, { item: "- {{name}}" }) };
}
