import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { test } from "node:test";
import { FROM_CELL, type GuestConfig } from "../../src/bridge/messages.ts";
import type { CallEnd } from "../../src/cell/call-end.ts";
import { Cell } from "../../src/cell/cell.ts";
import { KeeperProcess } from "../../src/cell/keeper-process.ts";
import type { CellLimits } from "../../src/cell/limits.ts";
import { Watchdog } from "../../src/cell/watchdog.ts";
import { LIMITS } from "../../src/engine/limits.ts";
import { readLimits } from "../../src/engine/options.ts";
import { makeTempFolder } from "../support/capabilities.ts";

// A keeper whose isolate was escaped can write what it likes. Each script is one: it follows the protocol until it has a
// call, then does its worst. `send` writes a frame of ours, `raw` any bytes.
const PROLOGUE = `
import { writeSync } from "node:fs";
import { Socket } from "node:net";
const raw = (bytes) => { for (let at = 0; at < bytes.length;) at += writeSync(4, bytes, at); };
const frame = (type, call, body, length) => {
  const text = Buffer.from(body);
  const head = Buffer.alloc(17);
  head.writeUInt32LE(length ?? 13 + text.length, 0); head.writeUInt8(type, 4); head.writeUInt32LE(call, 5);
  return Buffer.concat([head, text]);
};
const send = (type, call, body = "", length = undefined) => raw(frame(type, call, body, length));
const pipe = new Socket({ fd: 3, readable: true, writable: false });
pipe.on("close", () => process.exit());
let pending = Buffer.alloc(0);
pipe.on("data", (chunk) => {
  pending = Buffer.concat([pending, chunk]);
  while (pending.length >= 4 && pending.length >= 4 + pending.readUInt32LE(0)) {
    const type = pending.readUInt8(4), call = pending.readUInt32LE(5);
    pending = pending.subarray(4 + pending.readUInt32LE(0));
    if (type === 2) send(${FROM_CELL.LOADED}, 0);
    if (type === 4) misbehave(call);
  }
});
`;

const RESULT = '{"text":"fine","summary":null,"images":[],"left":0}\\nnull';

// Each ends the cell as one that broke the bridge's rules, unless it says otherwise.
const HABITS: readonly { readonly name: string; readonly code: string; readonly end?: CallEnd["kind"] }[] = [
  { name: "claims a frame of 4 GB", code: `send(4, call, "", 0xffffffff)` },
  { name: "claims a frame of no bytes", code: `send(4, call, "", 0)` },
  { name: "sends bytes that are no frame", code: `raw(Buffer.alloc(100000, 0xff))` },
  { name: "sends a type that there is not", code: `send(200, call)` },
  { name: "answers a call that was never made", code: `send(4, 999, '${RESULT}')` },
  { name: "sends a result that is no JSON", code: `send(4, call, "{\\nnull")` },
  { name: "sends a result without a payload line", code: `send(4, call, '{"text":"x"}')` },
  { name: "sends a result whose text is a number", code: `send(4, call, '{"text":5,"summary":null,"images":[],"left":0}\\nnull')` },
  {
    name: "sends a payload nested past the limit",
    code: `send(4, call, '{"text":"","summary":null,"images":[],"left":0}\\n' + "[".repeat(5000) + "]".repeat(5000))`,
  },
  {
    name: "sends a payload of a million tiny values",
    code: `send(4, call, '{"text":"","summary":null,"images":[],"left":0}\\n[' + "[],".repeat(1000000) + "[]]")`,
  },
  {
    name: "sends a failure of a kind that there is not",
    code: `send(5, call, '{"kind":"constructor","message":"x","retryable":false,"stack":null}')`,
  },
  { name: "sends progress beyond all bounds", code: `send(6, call, '[1e999,"x"]')` },
  { name: "sends a log line of no level", code: `send(7, call, '["__proto__","x"]')` },
  { name: "floods a call with frames", code: `for (;;) send(6, call, '[0.5,"x"]')` },
  {
    name: "floods calls that have ended with frames",
    code: `send(4, call, '${RESULT}'); for (;;) send(6, call, '[0.5,"x"]')`,
    end: "result",
  },
  {
    name: "answers twice, the second time otherwise",
    code: `send(4, call, '${RESULT}'); send(5, call, '{"kind":"exception","message":"late","retryable":false,"stack":null}')`,
    end: "result",
  },
  { name: "answers a byte at a time", code: `for (const byte of frame(4, call, '${RESULT}')) raw(Buffer.from([byte]))`, end: "result" },
];

for (const { name, code, end = "ended" } of HABITS) {
  test(`a keeper that ${name} is contained`, async () => {
    const before = process.memoryUsage.rss();
    const [ended, death] = await callKeeper(`${PROLOGUE}\nfunction misbehave(call) { ${code}; }\nsend(${FROM_CELL.READY}, 0, "{}");`);
    assert.equal(ended.kind, end);
    if (ended.kind === "ended") assert.equal(ended.code, "CELL_CRASHED");
    if (ended.kind === "result") assert.equal(ended.head.text, "fine");
    assert.ok(["protocol", "done"].includes(death ?? ""), String(death));
    assert.ok(process.memoryUsage.rss() - before < 64 * 1024 * 1024);
  });
}

test("a keeper that floods its stderr is heard to the last few bytes only", async () => {
  const flood = `for (let i = 0; i < 2000; i++) writeSync(2, "x".repeat(50000)); writeSync(2, "FATAL ERROR: out of memory"); process.kill(process.pid, "SIGABRT")`;
  const [ended] = await callKeeper(`${PROLOGUE}\nfunction misbehave(call) { ${flood}; }\nsend(${FROM_CELL.READY}, 0, "{}");`);
  assert.equal(ended.kind, "ended");
  assert.ok(ended.kind === "ended" && ended.code === "MEMORY_LIMIT" && (ended.detail?.length ?? 0) <= LIMITS.stderrBytes.value);
});

async function callKeeper(script: string): Promise<readonly [CallEnd, string | null]> {
  using temp = makeTempFolder();
  const keeperFile = `${temp.path}/keeper.mjs`;
  writeFileSync(keeperFile, script);
  const limits: CellLimits = readLimits({ frameCount: 20_000 });
  const sizes = {
    memoryBytes: limits.memoryBytes,
    cpuMs: limits.cpuMs,
    residentBytes: 512 * 1024 * 1024,
    bodyBytes: limits.resultBytes * 2,
    frameBytes: 1024 * 1024,
  };
  const keeper = new KeeperProcess(
    {
      seal: { wrapper: null, leash: null, isJitless: false, dataBytes: null },
      keeperFile,
      addonFile: `${temp.path}/none.node`,
      graceMs: 250,
      watchMs: 50,
      heapBytes: 64 * 1024 * 1024,
      placeCount: 0,
      ...sizes,
    },
    limits.stderrBytes,
  );
  await new Promise<void>((resolve, reject) => {
    keeper.onFrame = () => resolve();
    void keeper.closed.then(({ stderr }) => reject(new Error(stderr)));
  });
  const cell = new Cell({
    keeper,
    limits,
    watchdog: new Watchdog(limits.watchMs),
    onRetired: () => undefined,
    onIdle: () => undefined,
    onDeath: () => undefined,
    unloading: () => {
      throw new Error("A keeper that has prepared nothing has nothing to unload");
    },
  });
  await cell.load({} as GuestConfig, "");
  const ended = await cell.call({
    tool: "demo",
    body: "{}",
    signal: undefined,
    idleMs: 0,
    deadlineAt: performance.now() + 20_000,
    onProgress: () => undefined,
    onPower: () => new Promise(() => undefined),
    onLog: () => undefined,
  });
  // What a flood does after its call has ended shows before the cell is told to end.
  if (script.includes("ended with frames")) await keeper.closed;
  cell.retire();
  return [ended, (await keeper.closed).killedFor];
}
