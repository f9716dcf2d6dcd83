import assert from "node:assert/strict";
import type { Outcome } from "toolcell";
import { toolFile } from "../support/capabilities.ts";
import type { TestEngine } from "../support/engines.ts";
import { testLimit } from "./a-limit.ts";

const files = {
  "limit/text.js": toolFile("text", "const run = (context, { count, of = 'x' }) => of.repeat(count);"),
  "limit/evidence.js": toolFile(
    "evidence",
    "const run = (context, { count, of = 'x' }) => ({ text: 'short', payload: of.repeat(count) });",
  ),
  "limit/nest.js": toolFile(
    "nest",
    "const run = (context, { depth }) => { let value = 1; for (let level = 0; level < depth; level += 1) value = [value]; return { text: 'nested', payload: value }; };",
  ),
  "limit/values.js": toolFile(
    "values",
    "const run = (context, { count }) => ({ text: 'many', payload: Array.from({ length: count - 1 }, () => 1) });",
  ),
  "limit/refuse.js": toolFile("refuse", "const run = (context, { count }) => { throw new ToolError('w'.repeat(count)); };"),
  "limit/echo.js": toolFile("echo", "const run = (context, args) => ({ text: 'echo', payload: args });"),
  "limit/picky.js": toolFile("picky", "const run = () => 'taken';", { schema: '{ type: "object", additionalProperties: false }' }),
  "limit/pictures.js": toolFile(
    "pictures",
    "const run = (context, { count, data }) => ({ text: 'look', images: Array.from({ length: count }, () => ({ mediaType: 'image/png', data })) });",
  ),
};

testLimit("argumentBytes", {
  files,
  set: 64,
  raisedTo: 65,
  at: ["takes arguments of exactly as many bytes", async (made) => void (await taken(made, "echo", argumentsOf(64)))],
  over: [
    "refuses one byte more before the tool is begun",
    (made) => refusedArguments(made, argumentsOf(65), /65 bytes, more than the 64 allowed/u),
  ],
  raised: ["takes one byte more", async (made) => void (await taken(made, "echo", argumentsOf(65)))],
});

testLimit("depthCount", {
  files,
  set: 4,
  raisedTo: 5,
  at: [
    "takes arguments and results nested exactly as deep",
    async (made) => {
      await taken(made, "echo", nested(4));
      await taken(made, "nest", { depth: 4 });
    },
  ],
  over: [
    "refuses arguments and results one level deeper",
    async (made) => {
      await refusedArguments(made, nested(5), /nested deeper than 4 levels/u);
      const outcome = await refusedResult(made, "nest", { depth: 5 });
      assert.match(outcome.text, /nested deeper than 4 levels/u);
    },
  ],
  raised: [
    "takes one level more both ways",
    async (made) => {
      await taken(made, "echo", nested(5));
      await taken(made, "nest", { depth: 5 });
    },
  ],
});

testLimit("faultCount", {
  files,
  set: 2,
  raisedTo: 3,
  at: ["lists exactly as many faults", async (made) => assert.deepEqual(await faultLines(made, 2), ["`a0`", "`a1`"])],
  over: [
    "counts the faults past it",
    async (made) => assert.deepEqual(await faultLines(made, 3), ["`a0`", "`a1`", "1 more faults are not listed."]),
  ],
  raised: ["lists one more", async (made) => assert.deepEqual(await faultLines(made, 3), ["`a0`", "`a1`", "`a2`"])],
});

testLimit("messageChars", {
  files,
  set: 100,
  raisedTo: 101,
  at: ["shows a message of exactly as many characters whole", async (made) => assert.equal(await messageOf(made, 100), "w".repeat(100))],
  over: [
    "cuts a message that is one longer, and shows the cut",
    async (made) => assert.equal(await messageOf(made, 101), `${"w".repeat(100)}…`),
  ],
  raised: ["shows one character more", async (made) => assert.equal(await messageOf(made, 101), "w".repeat(101))],
});

testLimit("valueCount", {
  files,
  set: 10,
  raisedTo: 11,
  at: ["takes a result of exactly as many values", async (made) => void (await taken(made, "values", { count: 10 }))],
  over: [
    "refuses a result of one more",
    async (made) => assert.match((await refusedResult(made, "values", { count: 11 })).text, /too many values/u),
  ],
  raised: ["takes one more", async (made) => void (await taken(made, "values", { count: 11 }))],
});

testLimit("resultBytes", {
  files,
  set: 1024,
  raisedTo: 1025,
  at: [
    "takes a text and a payload of exactly as many bytes",
    async (made) => {
      const text = await taken(made, "text", { count: 1024 });
      assert.equal(text.text, "x".repeat(1024));
      assert.equal(text.trimmed, null);
      // With its two quotes, and in characters of one, two and three bytes.
      for (const [of, count] of [
        ["x", 1022],
        ["é", 511],
        ["中", 340],
      ] as const)
        await taken(made, "evidence", { count, of });
    },
  ],
  over: [
    "shortens a text and refuses a payload that is larger",
    async (made) => {
      const text = await made.engine.call("text", { count: 1025 });
      assert.equal(text.ok, true, text.text);
      assert.equal(text.trimmed?.total, 1025);
      assert.ok(text.text.length <= 1024, `${text.text.length} characters`);
      for (const [of, count] of [
        ["x", 1023],
        ["é", 512],
        ["中", 341],
      ] as const)
        await refusedResult(made, "evidence", { count, of });
    },
  ],
  raised: [
    "takes one byte more",
    async (made) => {
      assert.equal((await taken(made, "text", { count: 1025 })).text, "x".repeat(1025));
      await taken(made, "evidence", { count: 1023 });
    },
  ],
});

testLimit("imageCount", {
  files,
  set: 2,
  raisedTo: 3,
  at: [
    "takes exactly as many pictures",
    async (made) => assert.equal((await taken(made, "pictures", { count: 2, data: png(64) })).images.length, 2),
  ],
  over: [
    "refuses a result of one more, or of thousands",
    async (made) => {
      for (const count of [3, 5000]) {
        const outcome = await refusedResult(made, "pictures", { count, data: png(9) });
        assert.match(outcome.text, new RegExp(`has ${count} images, more than the 2 allowed`, "u"));
      }
    },
  ],
  raised: ["takes one more", async (made) => assert.equal((await taken(made, "pictures", { count: 3, data: png(64) })).images.length, 3)],
});

testLimit("imageBytes", {
  files,
  set: 64,
  raisedTo: 65,
  at: [
    "takes a picture of exactly as many bytes",
    async (made) => assert.equal((await taken(made, "pictures", { count: 1, data: png(64) })).images[0]?.data, png(64)),
  ],
  over: [
    "refuses a picture of one byte more",
    async (made) => assert.match((await refusedResult(made, "pictures", { count: 1, data: png(65) })).text, /65 bytes, more than the 64/u),
  ],
  raised: ["takes one byte more", async (made) => void (await taken(made, "pictures", { count: 1, data: png(65) }))],
});

async function taken({ engine }: TestEngine, tool: string, args: object): Promise<Outcome> {
  const outcome = await engine.call(tool, args);
  assert.equal(outcome.ok, true, outcome.text);
  return outcome;
}

async function refusedResult({ engine }: TestEngine, tool: string, args: object): Promise<Outcome> {
  const outcome = await engine.call(tool, args);
  assert.equal(outcome.error?.code, "BAD_RESULT", outcome.text);
  return outcome;
}

async function refusedArguments({ engine }: TestEngine, args: object, text: RegExp): Promise<void> {
  const outcome = await engine.call("echo", args);
  assert.equal(outcome.error?.code, "INVALID_ARGUMENTS");
  assert.equal(outcome.error.started, false);
  assert.match(outcome.text, text);
}

async function faultLines({ engine }: TestEngine, count: number): Promise<string[]> {
  const outcome = await engine.call("picky", Object.fromEntries(Array.from({ length: count }, (_, index) => [`a${index}`, 1])));
  assert.equal(outcome.error?.code, "INVALID_ARGUMENTS");
  return outcome.error.message.split("\n").map((line) => /`a\d`/u.exec(line)?.[0] ?? line);
}

async function messageOf({ engine }: TestEngine, count: number): Promise<string | undefined> {
  return (await engine.call("refuse", { count })).error?.message;
}

/** `{"a":"…"}` of so many bytes. */
function argumentsOf(bytes: number): object {
  return { a: "x".repeat(bytes - 8) };
}

/** An object that holds so many levels, itself counted. */
function nested(levels: number): object {
  return levels === 1 ? {} : { in: nested(levels - 1) };
}

/** Base64 of so many bytes that begin as a PNG does. */
function png(bytes: number): string {
  return Buffer.concat([Buffer.from("\x89PNG\r\n\x1a\n", "latin1"), Buffer.alloc(bytes - 8)]).toString("base64");
}
