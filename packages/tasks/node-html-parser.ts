import { parse } from "node-html-parser";

export const NAME = "node_html_parser";
export const DESCRIPTION = "Links read by a selector, an attribute set, text without tags.";

export function run() {
  const root = parse('<div id="d"><a href="/1">One</a> and <a href="/2" class="b">Two &amp; more</a><!-- no --></div>');
  const links = root.querySelectorAll("a").map((link) => link.getAttribute("href"));
  root.querySelector("a.b")?.setAttribute("rel", "next");
  return { links, inner: root.querySelector("#d")?.text, html: root.toString() };
}
