import assert from "node:assert/strict";
import type { Outcome } from "toolcell";
import { toolFile } from "../support/capabilities.ts";
import type { TestEngine } from "../support/engines.ts";
import { testLimit } from "./a-limit.ts";

const KiB = 1024;

const files = {
  // Each step is an operation and its arguments, a number in place of a content is so many bytes; what the last gave is the result.
  "files/do_files.js": toolFile(
    "do_files",
    `const run = async ({ fs }, { steps }) => {
      let last;
      for (const [op, ...args] of steps)
        last = await fs[op](...args.map((value, index) => (index === 1 && typeof value === "number" ? new Uint8Array(value) : value)));
      return { text: "done", payload: told(steps, last) };
    };
    const told = (steps, last) => {
      switch (steps.at(-1)[0]) {
        case "readBytes": case "readText": return last.length;
        case "list": return [last.length, last.isTruncated];
        default: return null;
      }
    };`,
  ),
};

const some = { files, options: { policy: { grant: () => true } } };

testLimit("powerBytes", {
  ...some,
  set: 1 * KiB,
  raisedTo: 1 * KiB + 1,
  at: [
    "carries a request and an answer of exactly as many bytes",
    async (made) => assert.equal(await did(made, [write("a", 1 * KiB), ["readBytes", "/tmp/a"]]), 1 * KiB),
  ],
  over: [
    "refuses a request and an answer of one byte more",
    async (made) => {
      await refused(made, [write("b", 1 * KiB + 1)], /request to the host may carry at most 1024 bytes/u);
      await refused(made, [["exists", `/tmp/${"n".repeat(100_000)}`]], /request to the host may carry at most 1024 bytes/u);
      await refused(
        made,
        [write("b", 1 * KiB), ["append", "/tmp/b", "x"], ["readBytes", "/tmp/b"]],
        /At most 1024 bytes are read at once/u,
      );
    },
  ],
  raised: [
    "carries one byte more",
    async (made) => assert.equal(await did(made, [write("a", 1 * KiB + 1), ["readBytes", "/tmp/a"]]), 1 * KiB + 1),
  ],
});

testLimit("readBytes", {
  ...some,
  set: 1 * KiB,
  raisedTo: 1 * KiB + 1,
  at: [
    "reads a file of exactly as many bytes, and as many of a larger one",
    async (made) => {
      assert.equal(await did(made, [write("a", 1 * KiB), ["readBytes", "/tmp/a"]]), 1 * KiB);
      assert.equal(await did(made, [["readText", "/tmp/a"]]), 1 * KiB);
      assert.equal(await did(made, [write("b", 4 * KiB), ["readBytes", "/tmp/b", { start: 3, length: 1 * KiB }]]), 1 * KiB);
    },
  ],
  over: [
    "refuses to read one byte more at once",
    async (made) => {
      await refused(made, [write("c", 1 * KiB + 1), ["readBytes", "/tmp/c"]], /At most 1024 bytes are read at once \(readBytes\)/u);
      await refused(made, [["readText", "/tmp/c"]], /readBytes/u);
      await refused(made, [["readBytes", "/tmp/c", { length: 1 * KiB + 1 }]], /readBytes/u);
    },
  ],
  raised: [
    "reads one byte more",
    async (made) => assert.equal(await did(made, [write("a", 1 * KiB + 1), ["readBytes", "/tmp/a"]]), 1 * KiB + 1),
  ],
});

testLimit("listCount", {
  ...some,
  set: 2,
  raisedTo: 3,
  at: ["lists exactly as many names, and says that they are all", async (made) => assert.deepEqual(await listed(made, 2), [2, false])],
  over: ["lists as many of more, and says that there are more", async (made) => assert.deepEqual(await listed(made, 3), [2, true])],
  raised: ["lists one more", async (made) => assert.deepEqual(await listed(made, 3), [3, false])],
});

testLimit("fileBytes", {
  ...some,
  set: 1 * KiB,
  raisedTo: 1 * KiB + 1,
  at: [
    "writes a file of exactly as many bytes, at once or in parts",
    (made) => done(made, [write("a", 1 * KiB), write("b", 1 * KiB - 1), append("b", 1)]),
  ],
  over: [
    "refuses a file of one byte more, at once or in parts, and leaves what was there",
    async (made) => {
      await refused(made, [write("c", 1 * KiB + 1)], /may have at most 1024 bytes \(fileBytes\)/u);
      await refused(made, [write("c", 1 * KiB), append("c", 1)], /fileBytes/u);
      assert.equal(await did(made, [["readBytes", "/tmp/c"]]), 1 * KiB);
    },
  ],
  raised: ["writes one byte more", (made) => done(made, [write("a", 1 * KiB), append("a", 1)])],
});

testLimit("writtenBytes", {
  ...some,
  set: 1 * KiB,
  raisedTo: 1 * KiB + 1,
  at: [
    "writes exactly as many bytes in a call, and as many in the next",
    async (made) => {
      for (let call = 0; call < 2; call += 1) await did(made, [write("a", 500), append("a", 24), write("b", 500)]);
    },
  ],
  over: [
    "refuses one byte more, written, appended or copied",
    async (made) => {
      await refused(made, [write("c", 1000), write("d", 25)], /write at most 1024 bytes in all \(writtenBytes\)/u);
      await refused(made, [write("c", 1000), append("c", 25)], /writtenBytes/u);
      await refused(made, [write("c", 513), ["copy", "/tmp/c", "/tmp/d"]], /writtenBytes/u);
    },
  ],
  raised: ["writes one byte more", (made) => done(made, [write("c", 1000), write("d", 25)])],
});

testLimit("tempBytes", {
  ...some,
  set: 1 * KiB,
  raisedTo: 1 * KiB + 1,
  at: [
    "holds exactly as many bytes in `/tmp`, and as many in the capability's own folder",
    (made) =>
      done(made, [
        write("a", 1000),
        write("b", 24),
        ["write", "/capability/a.bin", 1 * KiB],
        remove("a"),
        remove("b"),
        ["remove", "/capability/a.bin"],
      ]),
  ],
  over: [
    "refuses one byte more in either, and takes it where something was removed",
    async (made) => {
      await refused(made, [write("c", 1000), write("d", 25)], /hold at most 1024 bytes here \(tempBytes\)/u);
      await did(made, [remove("c"), write("d", 25)]);
      await refused(
        made,
        [
          ["write", "/capability/b.bin", 1 * KiB],
          ["append", "/capability/b.bin", 1],
        ],
        /tempBytes/u,
      );
    },
  ],
  raised: ["holds one byte more", (made) => done(made, [write("c", 1000), write("d", 25)])],
});

testLimit("tempCount", {
  ...some,
  set: 2,
  raisedTo: 3,
  at: [
    "holds exactly as many files and folders, and writes them again",
    (made) => done(made, [write("a", 1), ["make", "/tmp/f"], write("a", 2), remove("a"), remove("f")]),
  ],
  over: [
    "refuses one more, and takes it where something was removed",
    async (made) => {
      await refused(made, [write("a", 1), ["make", "/tmp/f"], write("f/b", 1)], /at most 2 files and folders here \(tempCount\)/u);
      await refused(made, [["make", "/tmp/g"]], /tempCount/u);
      await refused(made, [["copy", "/tmp/a", "/tmp/c"]], /tempCount/u);
      await did(made, [remove("a"), write("f/b", 1)]);
    },
  ],
  raised: ["holds one more", (made) => done(made, [write("a", 1), ["make", "/tmp/f"], write("f/b", 1)])],
});

type Step = readonly [op: string, path: string, ...rest: unknown[]];

function write(name: string, bytes: number): Step {
  return ["write", `/tmp/${name}`, bytes];
}

function append(name: string, bytes: number): Step {
  return ["append", `/tmp/${name}`, bytes];
}

function remove(name: string): Step {
  return ["remove", `/tmp/${name}`];
}

async function listed(made: TestEngine, count: number): Promise<unknown> {
  const folder = `names-${count}`;
  const names = Array.from({ length: count }, (_, index) => write(`${folder}/${index}`, 1));
  return await did(made, [["make", `/tmp/${folder}`], ...names, ["list", `/tmp/${folder}`]]);
}

async function done(made: TestEngine, steps: readonly Step[]): Promise<void> {
  await did(made, steps);
}

async function did(made: TestEngine, steps: readonly Step[]): Promise<Outcome["payload"]> {
  const outcome = await made.engine.call("do_files", { steps });
  assert.ok(outcome.ok, outcome.text);
  return outcome.payload;
}

async function refused(made: TestEngine, steps: readonly Step[], words: RegExp): Promise<void> {
  const { error, text } = await made.engine.call("do_files", { steps });
  assert.equal(error?.code, "POWER_LIMIT", text);
  assert.match(text, words);
}
