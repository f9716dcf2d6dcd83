import { Readability } from "@mozilla/readability";
import { parseHTML } from "linkedom";

export const NAME = "mozilla_readability";
export const DESCRIPTION = "The article of a page, without its navigation and its advertisement.";

const SENTENCE = "A lighthouse keeper, so the story goes, counted ships for forty years, and never once left the island. ";
const PAGE = `<html><head><title>The keeper</title></head><body><nav><a href="/">Home</a><a href="/shop">Shop</a></nav>
<article><h1>The keeper</h1><p class="byline">By Ada Moon</p>${`<p>${SENTENCE.repeat(4)}</p>`.repeat(4)}</article>
<div class="advertisement">Buy now</div></body></html>`;

export function run() {
  const article = new Readability(parseHTML(PAGE).document).parse();
  const text = article?.textContent ?? "";
  return {
    title: article?.title,
    byline: article?.byline,
    sentences: text.split("never once left the island").length - 1,
    isClean: !text.includes("Shop") && !text.includes("Buy now"),
  };
}
