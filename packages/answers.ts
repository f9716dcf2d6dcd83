import type { Json } from "toolcell";
import type versions from "./versions.json";

/** What each task comes to: literals checked by hand, so that a package that goes wrong in a guest is no measure of itself. */
export const ANSWERS: Readonly<Record<keyof typeof versions, Json>> = {
  mathjs: {
    determinant: 5,
    root: "2i",
    derivative: "3 * x ^ 2 + 2",
    simplified: "5 * x",
    length: "5000 m",
    product: [
      [2, 1],
      [4, 3],
    ],
  },
  jsonata: { total: 21.5, dear: ["cake", "jam"], factorial: 3_628_800 },
  jmespath: { names: ["Ada", "Mia"], oldest: "Mia", tags: ["a", "b", "b"] },
  papaparse: {
    data: [
      { name: "Mia", said: "one, two", age: 41 },
      { name: "Ben", said: 'a "word"\nand a line', age: 19 },
    ],
    errors: 0,
    fields: ["name", "said", "age"],
    written: 'a,b\r\n1,"x,y"',
  },
  "csv-parse": {
    atOnce: [
      { name: "Mia; M.", age: 41 },
      { name: "Ben", age: 19 },
    ],
    byCallback: [
      ["a", "b"],
      ["c", "d"],
    ],
    streamed: [
      ["1", "2"],
      ["3", "4"],
    ],
  },
  "date-fns": {
    month: "2026-02-28",
    businessDays: 6,
    parsed: "2026-02-03T14:05",
    distance: "in 3 days",
    german: "Freitag, 1. Mai",
    days: 7,
  },
  luxon: {
    after: "2026-03-29T03:30:00.000+02:00",
    tokyo: "2026-03-29 09:30",
    french: "dimanche 29 mars",
    duration: "1:30",
    days: 59,
  },
  rrule: {
    tuesdays: ["2026-01-13", "2026-02-10", "2026-03-10"],
    words: "every month on the 2nd Tuesday for 3 times",
    read: ["2026-01-05", "2026-01-19"],
  },
  "ical.js": {
    summary: "Stand-up, short",
    minutes: 15,
    times: ["2026-01-05T09:00:00Z", "2026-01-06T09:00:00Z", "2026-01-07T09:00:00Z"],
    written: "BEGIN:VEVENT\r\nSUMMARY:One\\; two\r\nEND:VEVENT",
  },
  cheerio: {
    prices: ["Tea 2.50", "Jam 5.00"],
    list: '<ul><li>one</li><li class="x y" title="a &amp; b">two</li><li>three</li></ul>',
    second: "two",
  },
  linkedom: { heard: ["a"], html: '<p class="a">one</p><a href="/tea">1 &lt; 2</a>', count: 2 },
  "node-html-parser": {
    links: ["/1", "/2"],
    inner: "One and Two & more",
    html: '<div id="d"><a href="/1">One</a> and <a href="/2" class="b" rel="next">Two &amp; more</a></div>',
  },
  "@mozilla/readability": { title: "The keeper", byline: "By Ada Moon", sentences: 16, isClean: true },
  turndown: {
    markdown: "## Tea\n\nVery _hot_, **strong** and [good](/t); not ~~cold~~.\n\n1.  Boil\n2.  Wait\n\n```\npour()\n```",
  },
  marked: {
    table:
      '<table>\n<thead>\n<tr>\n<th>a</th>\n<th align="right">b</th>\n</tr>\n</thead>\n' +
      '<tbody><tr>\n<td>1</td>\n<td align="right">2</td>\n</tr>\n</tbody></table>\n',
    inline: "<strong>bold <em>both</em></strong> <code>a &lt; b</code>",
    heading: "<h2>TEA</h2>",
    tokens: ["heading", "space", "list", "space", "blockquote"],
  },
  "markdown-it": {
    link: '<p>See <a href="https://example.com/a">https://example.com/a</a> “there”</p>\n',
    plugin: "so <b>bold</b> – &lt;i&gt;x&lt;/i&gt;",
    fence: '<pre><code class="language-js">a &lt; b\n</code></pre>\n',
  },
  "sanitize-html": {
    plain: "<p>Hi <a>there</a> <b>you</b></p>",
    styled: '<p style="color:red">x</p>',
    renamed: "<ul><li>1</li></ul>",
  },
  handlebars: { filled: "MIA (41), BEN: <i> &lt;b&gt;" },
  mustache: { filled: "- tea;- jam;none &LT;B&GT; 2 <b>" },
  ejs: { list: "<li>a</li><li>&lt;b&gt;</li><i>", other: "yes", awaited: "done" },
  lodash: {
    grouped: { 3: ["one", "two"], 5: ["three"] },
    copied: [0, 1],
    merged: { a: { b: 1, d: 2 }, c: [3, 4] },
    chained: [1, 4],
    filled: "[a][&lt;b&gt;]",
    calls: [2],
  },
  ramda: { total: 16, lens: { a: [{ b: 2 }], c: 2 }, transduced: [2, 3], counted: { a: 2, b: 1 } },
  immer: {
    base: 1,
    next: [
      { text: "tea", done: true },
      { text: "jam", done: false },
    ],
    isShared: true,
    isSame: true,
    back: { todo: [{ text: "tea", done: false }], other: { kept: true } },
    map: [
      ["a", 1],
      ["b", 2],
    ],
  },
  zod: {
    good: { name: "Mia", email: "mia@example.com", age: 41, pets: [{ kind: "cat", lives: 9 }, { kind: "dog" }] },
    paths: ["name", "email", "pets.0.kind"],
    schema: { required: ["a"], type: "object" },
  },
  ajv: {
    isValid: true,
    good: { name: "tea", tags: ["hot"], size: "m" },
    faults: [" required", " additionalProperties", "/tags/0 pattern", "/tags/1 type"],
  },
  valibot: { good: { kind: "label", text: "tea" }, paths: ["0.text", "1.radius"], first: "Say something", piped: 2026 },
  "fast-xml-parser": {
    parsed: {
      list: {
        item: [
          { "#text": "tea & milk", "@_id": "1" },
          { "#text": "<jam>", "@_id": "2" },
        ],
        "@_n": "2",
      },
    },
    written: '<a x="1"><b>&lt;</b><b>2</b></a>',
    broken: "InvalidTag",
  },
  yaml: {
    parsed: { base: { size: 1, on: true }, more: { size: 2, on: true }, text: "one\ntwo\n", list: [1, 2.5, 31, null, "no"] },
    written: 'a:\n  - "x: y"\n  - ""\nb: {}\n',
    document: "# kept\na: 1 # here\nb:\n  - 1\n",
    line: 2,
  },
  "smol-toml": {
    parsed: {
      title: "Tea",
      at: "2026-05-01T10:00:00.000Z",
      brew: { minutes: 30, ratio: 0.5 },
      cup: [{ name: "A\\B" }, { name: "two\nlines" }],
    },
    back: { c: true, a: { b: [1, "x"] } },
    line: 2,
  },
  diff: { words: ["the ", "-hot", "+cold", " tea"], lines: 3, hunk: "@@ -1,3 +1,4 @@", isApplied: true },
  "fuse.js": { typo: ["The Lock Artist"], author: [["The Lock Artist", "author"]], none: 0 },
  minisearch: { boosted: [2, 1], typo: ["Moby Dick"], suggested: ["neuromancer"] },
  compromise: {
    nouns: ["The keeper", "seven ships"],
    people: ["Ada Lovelace"],
    places: ["London"],
    past: "She walked to the harbour",
    plural: "the potatoes",
    number: 702,
  },
  semver: {
    isInRange: true,
    sorted: ["0.9.0", "1.0.0-rc.2", "1.0.0-rc.10", "1.0.0"],
    next: "1.2.4-beta.0",
    coerced: "2.1.0",
    least: "1.2.4",
    isSubset: true,
  },
  uuid: {
    named: "2ed6657d-e927-568b-95e1-2665a8aea6a2",
    isRandom: true,
    isOrdered: true,
    isSame: true,
    nil: "00000000-0000-0000-0000-000000000000",
    isNone: false,
  },
  nanoid: { length: 21, count: 1000, isPlain: true, isOfAlphabet: true, fixed: "cccccc" },
  "pdf-lib": { head: "%PDF-", pages: 2, title: "A menu", width: 300, field: "Mia" },
  qrcode: { version: 1, size: 21, isDark: true, svg: 'viewBox="0 0 29 29"', png: ["PNG", 116, 116], url: "data:image/png;base64," },
  pngjs: { head: [137, 80, 78, 71], size: [3, 2], pixel: [200, 100, 50, 128], isSame: true },
  "sql.js": {
    ranked: [
      ["MINT", 1],
      ["BLACK", 2],
    ],
    counted: [[3, 9.5]],
  },
  openai: { streamed: "Green tea ☕", called: ["brew", { minutes: 3 }], failed: [429, "rate_limit_exceeded"] },
  "@anthropic-ai/sdk": { pieces: ["Green", " tea"], tokens: 7, used: [["brew", { minutes: 3 }]], failed: 429 },
  "@octokit/rest": { titles: ["Too hot", "Too weak", "Too cold"], file: "# Tea", missing: 404 },
  axios: {
    query: "?q=1+%26+2&list%5B%5D=1&list%5B%5D=2",
    headers: ["tea", "yes"],
    posted: '{"name":"Mia"}',
    form: ["application/x-www-form-urlencoded;charset=utf-8", "a=1&b=%C3%BC"],
    missing: 404,
  },
  "@langchain/core": { sum: "3", isRefused: true, message: ["42", "1"], answer: "You brew tea. Yes.", started: true },
};
