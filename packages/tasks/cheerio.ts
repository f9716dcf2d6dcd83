import { load } from "cheerio";

export const NAME = "cheerio";
export const DESCRIPTION = "A table read by selectors, a list changed and printed, broken HTML repaired.";

const PAGE = `<table><tr><th>Tea</th><td class="price">2.50</td></tr><tr><th>Jam</th><td class="price">5.00</td></tr></table>
<ul><li>one<li class=x>two</ul>`;

export function run() {
  const $ = load(PAGE);
  const prices = $("tr")
    .map((_, row) => `${$(row).find("th").text()} ${$(row).find(".price").text()}`)
    .get();
  $("li.x").addClass("y").attr("title", "a & b").after("<li>three</li>");
  return { prices, list: $.html("ul"), second: $("li:nth-child(2)").text() };
}
