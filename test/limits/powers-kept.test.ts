import assert from "node:assert/strict";
import { describe } from "node:test";
import type { Outcome } from "toolcell";
import { toolFile } from "../support/capabilities.ts";
import type { TestEngine } from "../support/engines.ts";
import { testLimit } from "./a-limit.ts";

const files = {
  "kept/index.js": `export const PERMISSIONS = { storage: true };`,
  // Each step is an operation and its arguments; what the last one gave is the result.
  "kept/store.js": toolFile(
    "store",
    `const run = async ({ storage }, { steps }) => {
      let last;
      for (const [op, ...args] of steps) last = await storage[op](...args);
      return { text: "kept", payload: last ?? null };
    };`,
  ),
  "kept/store_together.js": toolFile(
    "store_together",
    `const run = async ({ storage }, { count }) => {
      await Promise.all(Array.from({ length: count }, (_, index) => storage.get("k" + index)));
      return "kept";
    };`,
  ),
};

const options = { policy: { grant: () => true } };
const some = { files, options };

describe("requests to the host", () => {
  testLimit("powerCount", {
    ...some,
    set: 3,
    raisedTo: 4,
    at: ["answers exactly as many requests of a call, and as many of the next", (made) => twice(() => stored(made, gets(3)))],
    over: ["refuses one more", (made) => refused(made, "store", { steps: gets(4) }, /at most 3 requests to the host/u)],
    raised: ["answers one more", (made) => keeps(made, gets(4))],
  });

  testLimit("powerInFlightCount", {
    ...some,
    set: 2,
    raisedTo: 3,
    at: ["answers exactly as many requests at once", (made) => done(made, "store_together", { count: 2 })],
    over: [
      "refuses one more at once",
      (made) => refused(made, "store_together", { count: 3 }, /at most 2 requests to the host under way/u),
    ],
    raised: ["answers one more at once", (made) => done(made, "store_together", { count: 3 })],
  });

  testLimit("effectCount", {
    ...some,
    set: 2,
    raisedTo: 3,
    at: ["lists exactly as many operations", async (made) => assert.deepEqual(await targets(made, 2), ["k0", "k1"])],
    over: [
      "counts the ones past it",
      async (made) => assert.deepEqual(await targets(made, 4), ["k0", "k1", "2 more operations are not listed"]),
    ],
    raised: [
      "lists one more",
      async (made) => assert.deepEqual(await targets(made, 4), ["k0", "k1", "k2", "1 more operations are not listed"]),
    ],
  });
});

describe("storage", () => {
  testLimit("storageKeyBytes", {
    ...some,
    set: 16,
    raisedTo: 17,
    at: [
      "takes a key of exactly as many bytes",
      async (made) => {
        await stored(made, [["set", "k".repeat(16), 1]]);
        await stored(made, [["set", "é".repeat(8), 1]]);
      },
    ],
    over: [
      "refuses a key of one byte more, also where it has fewer characters",
      async (made) => {
        const { text } = await made.engine.call("store", { steps: [["set", "k".repeat(17), 1]] });
        assert.match(text, /at most 16 bytes/u);
        await refused(made, "store", { steps: [["set", `k${"é".repeat(8)}`, 1]] }, /at most 16 bytes \(storageKeyBytes\)/u);
        await stored(made, [["get", "k".repeat(16)]]);
      },
    ],
    raised: ["takes one byte more", (made) => keeps(made, [["set", `k${"é".repeat(8)}`, 1]])],
  });

  testLimit("storageValueBytes", {
    ...some,
    set: 16,
    raisedTo: 17,
    at: ["keeps a value whose JSON has exactly as many bytes", (made) => keeps(made, [["set", "k", "v".repeat(14)]])],
    over: [
      "refuses a value of one byte more, also where it has fewer characters",
      async (made) => {
        await refused(made, "store", { steps: [["set", "over", "v".repeat(15)]] }, /storageValueBytes/u);
        await refused(made, "store", { steps: [["set", "over", `v${"é".repeat(7)}`]] }, /storageValueBytes/u);
        assert.equal(await stored(made, [["get", "over"]]), null);
      },
    ],
    raised: ["keeps one byte more", (made) => keeps(made, [["set", "k", "v".repeat(15)]])],
  });

  testLimit("storageBytes", {
    ...some,
    set: 64,
    raisedTo: 65,
    at: ["keeps exactly as many bytes of keys and values", (made) => keeps(made, [valueOf("k", 30), valueOf("l", 34), ["delete", "l"]])],
    over: [
      "refuses one byte more, and takes it where something was deleted",
      async (made) => {
        await refused(made, "store", { steps: [valueOf("k", 30), valueOf("l", 35)] }, /64 bytes in all \(storageBytes\)/u);
        await stored(made, [["delete", "k"], valueOf("l", 35)]);
      },
    ],
    raised: ["keeps one byte more", (made) => keeps(made, [valueOf("k", 30), valueOf("l", 35)])],
  });

  testLimit("storageCount", {
    ...some,
    set: 2,
    raisedTo: 3,
    at: ["keeps exactly as many keys, and sets them again", (made) => keeps(made, [...sets(2), ...sets(2)])],
    over: ["refuses one key more", (made) => refused(made, "store", { steps: sets(3) }, /2 keys in all \(storageCount\)/u)],
    raised: ["keeps one key more", (made) => keeps(made, sets(3))],
  });
});

type Step = readonly [op: "get" | "set" | "delete", key: string, value?: unknown];

function gets(count: number): readonly Step[] {
  return Array.from({ length: count }, (_, index) => ["get", `k${index}`]);
}

function sets(count: number): readonly Step[] {
  return Array.from({ length: count }, (_, index) => ["set", `k${index}`, index]);
}

/** Stores so much that key and JSON together have `bytes`. */
function valueOf(key: string, bytes: number): Step {
  return ["set", key, "v".repeat(bytes - key.length - 2)];
}

async function keeps(made: TestEngine, steps: readonly Step[]): Promise<void> {
  await stored(made, steps);
}

async function stored(made: TestEngine, steps: readonly Step[]): Promise<unknown> {
  return (await succeeded(made, "store", { steps })).payload;
}

async function done(made: TestEngine, tool: string, args: object): Promise<void> {
  await succeeded(made, tool, args);
}

async function twice(step: () => Promise<unknown>): Promise<void> {
  await step();
  await step();
}

async function targets(made: TestEngine, count: number): Promise<readonly string[]> {
  return (await succeeded(made, "store", { steps: gets(count) })).effects.map(({ target }) => target);
}

async function succeeded({ engine }: TestEngine, tool: string, args: object): Promise<Outcome> {
  const outcome = await engine.call(tool, args);
  assert.ok(outcome.ok, outcome.text);
  return outcome;
}

async function refused({ engine }: TestEngine, tool: string, args: object, words: RegExp): Promise<void> {
  const { error, text } = await engine.call(tool, args);
  assert.equal(error?.code, "POWER_LIMIT", text);
  assert.match(text, words);
}
