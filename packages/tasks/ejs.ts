import ejs from "ejs";

export const NAME = "ejs";
export const DESCRIPTION = "A template with a loop, escaping, raw output and another delimiter, compiled by `new Function`.";

export async function run() {
  return {
    list: ejs.render("<% for (const name of names) { %><li><%= name %></li><% } %><%- raw %>", { names: ["a", "<b>"], raw: "<i>" }),
    other: ejs.render("<? if (yes) { ?>yes<? } ?>", { yes: true }, { delimiter: "?" }),
    awaited: await ejs.render("<%= await later %>", { later: Promise.resolve("done") }, { async: true }),
  };
}
