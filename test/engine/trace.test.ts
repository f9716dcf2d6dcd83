import assert from "node:assert/strict";
import { test } from "node:test";
import { makeEngine, type TestEngine } from "../support/engines.ts";

const HELPER = `/** Comments and types are gone where this runs. */
export interface Place { readonly name: string }

export function find(place: Place): never {

  throw new TypeError(\`no \${place.name}\`);
}
`;

function tool(name: string, body: string, before = ""): string {
  return `import { find, type Place } from "./_lib/find.ts";
import { fail } from "broken-package";
${before}
export const NAME = "${name}";
export const DESCRIPTION = "Fails.";
export const INPUT_SCHEMA = { type: "object" };

type Unused = Place & { readonly fail: typeof fail };

export async function run(_context: unknown, place: Unused) {
  await Promise.resolve();
${body}
}
`;
}

const FILES = {
  "weather/_lib/find.ts": HELPER,
  "weather/node_modules/broken-package/package.json": '{ "name": "broken-package", "main": "index.js" }',
  "weather/node_modules/broken-package/index.js": "\n\nexports.fail = () => JSON.parse('{');\n",
  "weather/own.ts": tool("own", "  return find(place);"),
  "weather/package.ts": tool("package_fails", "  return fail();"),
  "weather/loading.ts": tool("loading", "", 'const early = (): never => find({ name: "early" });\nearly();'),
  "weather/odd.js": `export const NAME = "odd";
export const DESCRIPTION = "Throws what it is told to.";
export const INPUT_SCHEMA = { type: "object" };
export function run(_context, { stack, name }) {
  Error.stackTraceLimit = 1e6;
  const error = new Error("odd");
  if (name === "deep") (function deeper(left) { if (left === 0) throw error; deeper(left - 1); })(50);
  error.stack = stack;
  throw error;
}
`,
};

/** The stack that the owner's log has of a call that fails. */
async function stackOf({ engine, log }: TestEngine, name: string, args: unknown): Promise<string> {
  const { text, callId } = await engine.call(name, args);
  const stack = log.find((entry) => entry.callId === callId)?.detail ?? "";
  assert.doesNotMatch(text, /\\.ts:|\\n +at /);
  return stack;
}

test("a stack in the owner's log", async (t) => {
  await using made = await makeEngine(FILES);
  await t.test("names the author's files and lines", async () => {
    const stack = await stackOf(made, "own", { name: "Kyoto" });
    assert.match(stack, /^TypeError: no Kyoto\n +at find \(weather\/_lib\/find\.ts:6:9\)\n +at .*run.* \(weather\/own\.ts:12:10\)/);
    assert.doesNotMatch(stack, /capability\.js|guest\.js/);
  });
  await t.test("names files of packages in the folder", async () => {
    const stack = await stackOf(made, "package_fails", {});
    assert.match(
      stack,
      /at exports\.fail \(weather\/node_modules\/broken-package\/index\.js:3:\d+\)\n +at .*run.* \(weather\/package\.ts:12:10\)/,
    );
  });
  await t.test("tells where a file fails while it is loaded", async () => {
    const stack = await stackOf(made, "loading", {});
    assert.match(stack, /^TypeError: no early\n +at find \(weather\/_lib\/find\.ts:6:9\)\n +at early \(weather\/loading\.ts:3:28\)/);
  });
  await t.test("is a guest's text, whatever it says", async () => {
    const claimed =
      "    at x (capability.js:99999999:1)\n    at /etc/passwd (capability.js:-1:x)\n    at y (guest.js:1:1)\nno frame capability.js:1:1";
    assert.equal(await stackOf(made, "odd", { stack: claimed }), "    at /etc/passwd (capability.js:-1:x)\nno frame capability.js:1:1");
    const long = "    at x (capability.js:1:1)\nword\n".repeat(10_000);
    assert.ok((await stackOf(made, "odd", { stack: long })).split("\n").length <= 50);
    assert.ok((await stackOf(made, "odd", { name: "deep" })).split("\n").length <= 50);
  });
});

test("no cell is given the map of its bundle", async () => {
  const source = `export const NAME = "look";
export const DESCRIPTION = "Looks for the map of its own bundle.";
export const INPUT_SCHEMA = { type: "object" };
export const run = () => String(new Error("here").stack) + Function.prototype.toString.call(run);
`;
  await using made = await makeEngine({ "demo/look.ts": source });
  const { text } = await made.engine.call("look");
  assert.match(text, /capability\.js:\d+:\d+/);
  assert.doesNotMatch(text, /look\.ts|mappings/);
});
