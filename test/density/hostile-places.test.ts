import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { describe, test } from "node:test";
import { FROM_CELL, TO_CELL } from "../../src/bridge/messages.ts";
import { KeeperProcess } from "../../src/cell/keeper-process.ts";
import { SharedProcess } from "../../src/cell/shared-process.ts";
import { readLimits } from "../../src/engine/options.ts";
import { makeTempFolder } from "../support/capabilities.ts";

// A keeper that was taken over writes what it likes on the pipes of every place. Each script does its worst when the first of
// its two places is told something.
const PROLOGUE = `
import { writeSync } from "node:fs";
import { Socket } from "node:net";
const write = (fd, bytes) => { for (let at = 0; at < bytes.length;) at += writeSync(fd, bytes, at); };
const frame = (type, call, body = "", length) => {
  const text = Buffer.from(body), head = Buffer.alloc(17);
  head.writeUInt32LE(length ?? 13 + text.length, 0); head.writeUInt8(type, 4); head.writeUInt32LE(call, 5);
  return Buffer.concat([head, text]);
};
new Socket({ fd: 3, readable: true, writable: false }).on("close", () => process.exit()).resume();
const [first, second] = [6, 8];
new Socket({ fd: 5, readable: true, writable: false }).on("data", (bytes) => misbehave(bytes.readUInt8(4))).on("error", () => undefined);
new Socket({ fd: 7, readable: true, writable: false }).on("data", (bytes) => { if (bytes.readUInt8(4) === ${TO_CELL.END}) write(second, frame(${FROM_CELL.READY}, 0)); }).on("error", () => undefined);
`;

const PATIENT_MS = 10_000;
const limits = readLimits({});

interface Habit {
  readonly does: string;
  readonly code: string;
  readonly graceMs?: number;
  /** What the first place's cell and the second's end for. */
  readonly ends: readonly [string, string];
  /** Who is looked at alone afterwards, and whether for certain. */
  readonly suspects: readonly (readonly [string, boolean])[];
}

const HABITS: readonly Habit[] = [
  {
    does: "sends bytes that are no frame",
    code: "write(first, Buffer.alloc(1000, 0xff))",
    ends: ["protocol", "shared"],
    suspects: [
      ["one", true],
      ["one two", false],
    ],
  },
  {
    does: "says that a place is free which nobody left",
    code: `write(second, frame(${FROM_CELL.READY}, 0))`,
    ends: ["shared", "protocol"],
    suspects: [
      ["two", true],
      ["one two", false],
    ],
  },
  {
    does: "does not let go of an isolate",
    code: "",
    graceMs: 100,
    ends: ["done", "shared"],
    suspects: [["one", true]],
  },
  {
    does: "ends by itself",
    code: "process.exit(7)",
    ends: ["null", "shared"],
    suspects: [["one", true]],
  },
];

describe("a keeper of several cells that", () => {
  for (const { does, code, graceMs = PATIENT_MS, ends, suspects } of HABITS) {
    test(`${does} ends, and each of its cells is told`, async () => {
      using started = await start(code, graceMs);
      const { process, told } = started;
      const [one, two] = [process.take("one", limits.memoryBytes), process.take("two", limits.memoryBytes)];
      assert.equal(process.take("three", limits.memoryBytes), null);
      one?.send(TO_CELL.CALL, 1, "{}");
      if (code === "") one?.kill("done");
      assert.deepEqual([String((await one?.closed)?.killedFor), String((await two?.closed)?.killedFor)], ends);
      await process.closed;
      assert.deepEqual(told, suspects);
    });
  }

  test("lets go of one cell takes the next in its place, and ends with the last", async () => {
    using started = await start(`if (type === ${TO_CELL.END}) write(first, frame(${FROM_CELL.READY}, 0))`, PATIENT_MS);
    const { process, told } = started;
    const [one, two] = [process.take("one", limits.memoryBytes), process.take("two", limits.memoryBytes)];
    one?.kill("done");
    assert.equal((await one?.closed)?.killedFor, "done");
    const three = process.take("three", limits.memoryBytes);
    assert.notEqual(three, null);
    for (const cell of [two, three]) cell?.kill("stuck");
    for (const cell of [two, three]) assert.equal((await cell?.closed)?.killedFor, "stuck");
    assert.equal((await process.closed).killedFor, "done");
    assert.deepEqual(told, []);
    assert.equal(process.take("four", limits.memoryBytes), null);
  });
});

interface Started extends Disposable {
  readonly process: SharedProcess;
  /** Who was named, and whether for certain. */
  readonly told: readonly (readonly [string, boolean])[];
}

async function start(code: string, graceMs: number): Promise<Started> {
  const temp = makeTempFolder();
  const keeperFile = `${temp.path}/keeper.mjs`;
  writeFileSync(keeperFile, `${PROLOGUE}function misbehave(type) { ${code} }\nwrite(4, frame(${FROM_CELL.READY}, 0));\n`);
  const seal = { wrapper: null, leash: null, isJitless: false, dataBytes: null } as const;
  const sizes = { memoryBytes: limits.memoryBytes, cpuMs: 1000, residentBytes: 2 ** 30, bodyBytes: 2 ** 20, frameBytes: 2 ** 20 };
  const keeper = new KeeperProcess(
    { seal, keeperFile, addonFile: `${temp.path}/none.node`, ...sizes, graceMs, watchMs: 50, heapBytes: 64 * 2 ** 20, placeCount: 2 },
    limits.stderrBytes,
  );
  // A host waits for its cells while a timer of theirs runs.
  const hold = setInterval(() => undefined, 1000);
  await new Promise<void>((resolve) => (keeper.onFrame = () => resolve()));
  const told: (readonly [string, boolean])[] = [];
  const process = new SharedProcess(keeper, {
    limits: { ...limits, graceMs },
    onOver: () => undefined,
    onSuspects: (names, isCertain) => {
      if (names.length > 0) told.push([names.join(" "), isCertain]);
    },
  });
  const close = (): void => {
    clearInterval(hold);
    keeper.kill("closed");
    temp[Symbol.dispose]();
  };
  return { process, told, [Symbol.dispose]: close };
}
