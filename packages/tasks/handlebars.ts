import Handlebars from "handlebars";

export const NAME = "handlebars";
export const DESCRIPTION = "A template with a loop, a condition, a partial, a helper and escaping.";

const TEMPLATE = "{{#each people}}{{> person}}{{#unless @last}}, {{/unless}}{{/each}}: {{{raw}}} {{escaped}}";

export function run() {
  Handlebars.registerHelper("loud", (text: string) => text.toUpperCase());
  Handlebars.registerPartial("person", "{{loud name}}{{#if age}} ({{age}}){{/if}}");
  const template = Handlebars.compile(TEMPLATE);
  return { filled: template({ people: [{ name: "Mia", age: 41 }, { name: "Ben" }], raw: "<i>", escaped: "<b>" }) };
}
