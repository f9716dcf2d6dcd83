import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { closeSync, openSync } from "node:fs";
import path from "node:path";
import { describe, test } from "node:test";
import type { Frame } from "../../src/bridge/frames.ts";
import { FROM_CELL, TO_CELL } from "../../src/bridge/messages.ts";
import { TURN } from "../../src/bridge/thread.ts";
import { THREAD } from "../../src/catalogue/texts.ts";
import type { Death } from "../../src/cell/cell-process.ts";
import { ThreadProcess } from "../../src/cell/thread-process.ts";
import { makeTempFolder, writeFiles } from "../support/capabilities.ts";

const LIMITS = { cpuMs: 10_000, memoryBytes: 64 * 1024 * 1024, stderrBytes: 1000, resultBytes: 1000, powerBytes: 1000 };
/** The largest body that the host takes under these limits. */
const BODY_BYTES = 2000 + 64 * 1024;
const METER = "{ cpuMicros: 0, heapBytes: 0 }";

interface Run {
  readonly death: Death;
  readonly frames: readonly Frame[];
  readonly lines: readonly string[];
}

/** Runs a thread with a program of its own in the place of ours, until it has ended. */
async function run(body: string, drive: (thread: ThreadProcess) => void = () => undefined): Promise<Run> {
  using folder = makeTempFolder();
  writeFiles(folder.path, { "thread.mjs": `import fs from "node:fs"; export function runCell({ port, turns }) { ${body} }` });
  const lines: string[] = [];
  const thread = new ThreadProcess({
    threadFile: path.join(folder.path, "thread.mjs"),
    limits: LIMITS,
    onLine: (level, line) => lines.push(`${level} ${line}`),
  });
  const frames: Frame[] = [];
  thread.onFrame = (frame) => frames.push(frame);
  const alive = setInterval(() => undefined, 1000);
  try {
    drive(thread);
    return { death: await thread.closed, frames, lines };
  } finally {
    clearInterval(alive);
  }
}

describe("the host ends a thread that breaks the bridge's rules", () => {
  for (const [what, message] of [
    ["a message that is no object", "'frame'"],
    ["nothing", "null"],
    ["a type that is no number", `{ type: "4", call: 1, body: "", meter: ${METER} }`],
    ["a call below zero", `{ type: 7, call: -1, body: "", meter: ${METER} }`],
    ["a body that is no text", `{ type: 7, call: 1, body: new Uint8Array(3), meter: ${METER} }`],
    ["a message without a meter", '{ type: 7, call: 1, body: "" }'],
    ["a meter that counts backwards", '{ type: 7, call: 1, body: "", meter: { cpuMicros: -1, heapBytes: 0 } }'],
    ["a body over the limit", `{ type: 7, call: 1, body: "x".repeat(${BODY_BYTES + 1}), meter: ${METER} }`],
    ["a body over the limit in bytes alone", `{ type: 7, call: 1, body: "é".repeat(${BODY_BYTES / 2}) + "x", meter: ${METER} }`],
  ] as const) {
    test(what, async () => {
      const { death, frames } = await run(`port.postMessage(${message}); port.on("message", () => {});`);
      assert.deepEqual([death.killedFor, frames], ["protocol", []]);
    });
  }

  test("and takes a body at the limit", async () => {
    const post = `port.postMessage({ type: 7, call: 1, body: "é".repeat(${BODY_BYTES / 2}), meter: ${METER} });`;
    const { death, frames } = await run(`${post} process.exit(0);`);
    assert.deepEqual([death.killedFor, frames.map(({ body }) => body.length)], [null, [BODY_BYTES]]);
  });
});

describe("a thread's end", () => {
  test("is told as its own where nobody ended it", async () => {
    const { death } = await run("process.exit(3);");
    assert.deepEqual([death.killedFor, death.exitCode, death.known?.code], [null, 3, "CELL_CRASHED"]);
  });

  test("is told where its program cannot be loaded", async () => {
    const { death } = await run("} syntax error {");
    assert.deepEqual([death.killedFor, death.known?.code], [null, "CELL_CRASHED"]);
    assert.match(death.stderr, /SyntaxError/u);
  });

  test("comes after all that it had said", async () => {
    const post = `for (let call = 1; call <= 50; call += 1) port.postMessage({ type: 7, call, body: "", meter: ${METER} });`;
    const { frames } = await run(`${post} setTimeout(() => { throw new Error("done"); }, 0);`);
    assert.equal(frames.length, 50);
  });

  test("says of each call whether it had begun", async () => {
    const begin = `port.once("message", ({ call }) => { turns[${TURN.begun}] = call; process.exit(0); });`;
    const { frames } = await run(begin, (thread) => {
      thread.send(TO_CELL.CALL, 1, "");
      thread.send(TO_CELL.CALL, 2, "");
      thread.send(TO_CELL.CALL, 3, "");
    });
    const queued = frames.filter(({ type }) => type === FROM_CELL.QUEUED).map(({ call }) => call);
    assert.deepEqual(queued, [2, 3]);
  });

  test("is not waited for for ever where it is in native code that does not come back", async () => {
    using folder = makeTempFolder();
    const pipe = path.join(folder.path, "pipe");
    execFileSync("mkfifo", [pipe]);
    const stuck = `port.postMessage({ type: 7, call: 1, body: "", meter: ${METER} }); fs.openSync(${JSON.stringify(pipe)}, "r");`;
    const runOnce = (): Promise<Run> => run(stuck, (thread) => (thread.onFrame = () => thread.kill("stuck")));
    let { death, lines } = await runOnce();
    // One that was ended before it came to the pipe shows nothing.
    while (death.exitCode !== null) ({ death, lines } = await runOnce());
    assert.deepEqual([death.killedFor, death.exitCode, death.stderr, lines], ["stuck", null, THREAD.stays, [`warn ${THREAD.stays}`]]);
    // Whoever reads is let go by whoever writes: this process could not exit before.
    closeSync(openSync(pipe, "w"));
  });
});

test("a flood of lines is kept by its beginning and its count, a giant line by its beginning", async () => {
  const write =
    'process.stdout.write("x".repeat(20_000) + "\\n" + "line\\n".repeat(5000), () => process.stdout.write("", () => setTimeout(process.exit, 50)));';
  const { lines, death } = await run(write);
  assert.equal(lines[0], `info ${"x".repeat(4000)}…`);
  const kept = lines.filter((line) => line === "info line").length;
  assert.ok(kept >= 99 && kept < 2500, String(kept));
  const dropped = lines.map((line) => /^info (\d+) more lines/u.exec(line)?.[1]).filter((count) => count !== undefined);
  assert.equal(dropped.reduce((sum, count) => sum + Number(count), 0) + kept, 5000);
  assert.equal(Buffer.byteLength(death.stderr), LIMITS.stderrBytes);
});
