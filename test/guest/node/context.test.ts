import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { toolFile } from "../../support/capabilities.ts";
import { makeEngine, type TestEngine } from "../../support/engines.ts";
import { sameAsNode } from "./as-node.ts";

sameAsNode(["async_hooks", "events", "timers", "util"], {
  "keeps what a call has at hand across every kind of waiting": async ({ async_hooks, timers, util }) => {
    const storage = new async_hooks.AsyncLocalStorage();
    const seen: unknown[] = [];
    const look = (where: string): unknown => seen.push([where, storage.getStore()]);
    const wait = util.promisify(setTimeout);
    await storage.run("outer", async () => {
      look("sync");
      await null;
      look("await");
      await wait(1);
      look("timer");
      await storage.run("inner", async () => {
        await wait(1);
        look("inner");
        for await (const step of (async function* () {
          look("generator");
          await null;
          yield 1;
          look("generator again");
        })())
          look(`for await ${step}`);
      });
      look("after inner");
      await new Promise<void>((resolve) => queueMicrotask(() => (look("microtask"), resolve())));
      await new Promise<void>((resolve) => timers.setImmediate(() => (look("immediate"), resolve())));
      await new Promise<void>((resolve) => void setTimeout(() => (look("setTimeout"), resolve()), 0));
      await { then: (resolve: (value?: unknown) => void) => (look("thenable"), resolve()) };
      await Promise.all([1, 2].map(async (each) => (await null, look(`all ${each}`))));
      try {
        await Promise.reject(new Error("x"));
      } catch {
        look("caught");
      } finally {
        look("finally");
      }
      await Promise.resolve()
        .then(() => look("then"))
        .finally(() => look("promise finally"));
      storage.exit(() => look("exit"));
      class Holder {
        #value = 1;
        async method(this: Holder, ...rest: number[]): Promise<unknown[]> {
          await null;
          return [this.#value, ...rest, storage.getStore()];
        }
        arrow = async (): Promise<unknown> => (await null, storage.getStore());
      }
      seen.push(await new Holder().method(2, 3), await new Holder().arrow());
    });
    look("outside");
    return seen;
  },
  "keeps runs that go on at the same time apart": async ({ async_hooks }) => {
    const storage = new async_hooks.AsyncLocalStorage();
    const other = new async_hooks.AsyncLocalStorage();
    const walk = async (name: string, steps: number): Promise<unknown[]> => {
      const seen: unknown[] = [];
      for (let step = 0; step < steps; step += 1) {
        await new Promise((resolve) => setTimeout(resolve, (steps - step) % 3));
        seen.push([storage.getStore(), other.getStore()]);
        await other.run(`${name}${step}`, async () => await null);
      }
      return seen;
    };
    return await Promise.all(["a", "b", "c"].map((name, at) => storage.run(name, () => walk(name, at + 3))));
  },
  "binds, takes snapshots, and has resources": async ({ async_hooks, events }) => {
    const storage = new async_hooks.AsyncLocalStorage();
    const bound = storage.run(1, () => async_hooks.AsyncLocalStorage.bind(() => storage.getStore()));
    const snapshot = storage.run(2, () => async_hooks.AsyncLocalStorage.snapshot());
    const resource = storage.run(3, () => new async_hooks.AsyncResource("R"));
    const emitter = new events();
    emitter.on("x", () => seen.push(storage.getStore()));
    const seen: unknown[] = [bound(), snapshot(() => storage.getStore()), resource.runInAsyncScope(() => storage.getStore())];
    storage.run(4, () => emitter.emit("x"));
    await storage.run(5, async () => {
      storage.enterWith(6);
      seen.push(storage.getStore());
      await null;
      seen.push(storage.getStore());
    });
    return [...seen, storage.getStore() ?? "nothing"];
  },
});

describe("what a call leaves in a storage", () => {
  const code = 'import { AsyncLocalStorage } from "async_hooks"; const storage = new AsyncLocalStorage();';
  const run = `const run = async (_, { name, leave }) => {
    const before = storage.getStore() ?? "nothing";
    if (leave) storage.enterWith(name);
    await null;
    await new Promise((resolve) => setTimeout(resolve, 1));
    return before + " " + (storage.getStore() ?? "nothing");
  };`;
  const schema = '{ type: "object", properties: { name: { type: "string" }, leave: { type: "boolean" } } }';
  let made: TestEngine;
  before(async () => (made = await makeEngine({ "leaving/ask.js": toolFile("ask", run, { code, schema }) })));
  after(() => made[Symbol.asyncDispose]());

  test("is not there for the next one, nor for one beside it", async () => {
    const calls = ["a", "b", "c"].map((name) => made.engine.call("ask", { name, leave: true }));
    assert.deepEqual(
      (await Promise.all(calls)).map(({ text }) => text),
      ["nothing a", "nothing b", "nothing c"],
    );
    assert.equal((await made.engine.call("ask", { name: "d", leave: false })).text, "nothing nothing");
  });
});
