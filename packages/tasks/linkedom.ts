import { parseHTML } from "linkedom";

export const NAME = "linkedom";
export const DESCRIPTION = "A document queried, changed and printed, an event that bubbles.";

export function run() {
  const { document, Event } = parseHTML("<!doctype html><html><body><main id=m><p class=a>one</p><p>two</p></main></body></html>");
  const heard: string[] = [];
  document.getElementById("m").addEventListener("ping", (event) => heard.push(event.target.className));
  document.querySelector("p.a").dispatchEvent(new Event("ping", { bubbles: true }));
  const link = document.createElement("a");
  link.setAttribute("href", "/tea");
  link.textContent = "1 < 2";
  document.querySelector("p:last-child").replaceWith(link);
  return { heard, html: document.getElementById("m").innerHTML, count: document.querySelectorAll("main > *").length };
}
