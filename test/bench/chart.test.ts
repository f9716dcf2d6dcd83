import assert from "node:assert/strict";
import { test } from "node:test";
import { toChart } from "../../src/bench/chart.ts";
import { makeRow } from "./a-run.ts";

const OPTIONS = { title: 'Calls <"&">', description: "What is shown.", own: ["own"] };
const SVG = toChart([makeRow("own", [40, 50]), makeRow("a & b <c>", [2000, 2500]), makeRow("tiny", [0.4])], OPTIONS);

/** Every element opened and closed in its order, every attribute quoted, no bare ampersand. Throws elsewhere. */
function assertWellFormed(xml: string): string[] {
  const open: string[] = [];
  const seen: string[] = [];
  let rest = xml;
  while (rest !== "") {
    const [whole = "", text = "", close, name = "", attributes = "", self] =
      /^([^<]*)(?:<(\/)?([a-z]+)((?:\s+[\w:-]+="[^"<]*")*)\s*(\/)?>)?/u.exec(rest) ?? [];
    assert.ok(whole !== "", `not well-formed at ${rest.slice(0, 60)}`);
    assert.doesNotMatch(text + attributes, /&(?!amp;|lt;|gt;|quot;)/u);
    rest = rest.slice(whole.length);
    if (name === "") continue;
    if (close !== undefined) assert.equal(open.pop(), name);
    else {
      seen.push(name);
      if (self === undefined) open.push(name);
    }
  }
  assert.deepEqual(open, []);
  return seen;
}

test("the chart is a well-formed SVG, whatever the names are", () => {
  const elements = assertWellFormed(SVG);
  assert.equal(elements[0], "svg");
  assert.equal(elements.filter((name) => name === "circle").length, 3);
  assert.ok(!SVG.includes("NaN") && !SVG.includes("Infinity"));
});

test("who does not see it is told all of it: title, description and every figure", () => {
  assert.match(SVG, /role="img" aria-labelledby="title desc"/u);
  assert.match(SVG, /<title id="title">Calls &lt;&quot;&amp;&quot;&gt;<\/title>/u);
  const description = /<desc id="desc">([^<]*)<\/desc>/u.exec(SVG)?.[1] ?? "";
  for (const part of ["What is shown.", "own: p50 45.0 us, p99 135 us", "a &amp; b &lt;c&gt;: p50 2.25 ms", "tiny: p50 0.400 us"])
    assert.ok(description.includes(part), `${part} in ${description}`);
});

test("it is drawn for a dark page too, and its own row stands out by more than colour", () => {
  assert.match(SVG, /@media\(prefers-color-scheme:dark\)/u);
  assert.match(SVG, /\.own text\{font-weight:600\}/u);
  assert.equal(SVG.match(/<g class="own">/gu)?.length, 1);
});

test("a longer time stands further to the right", () => {
  const places = [...SVG.matchAll(/<circle class="dot" cx="([\d.]+)"/gu)].map(([, x]) => Number(x));
  assert.ok((places[2] ?? 0) < (places[0] ?? 0) && (places[0] ?? 0) < (places[1] ?? 0));
});

test("rows of one single time have a chart all the same", () => {
  const svg = toChart([{ ...makeRow("one", [10]), times: { p50: 10, p95: 10, p99: 10 } }], OPTIONS);
  assertWellFormed(svg);
  assert.ok(!svg.includes("NaN"));
});
