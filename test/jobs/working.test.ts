import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { makeQueue, untilRunning } from "./a-queue.ts";

describe("`engine.work`", () => {
  test("ends when its signal says so, after what runs", async () => {
    await using queue = await makeQueue();
    const stop = new AbortController();
    const told: string[] = [];
    const work = queue.engine.work({ signal: stop.signal, onEnd: ({ id }) => told.push(id) });
    const first = await queue.engine.submit("hold", { n: 1 });
    await untilRunning(queue, first.id);
    stop.abort();
    const second = await queue.engine.submit("record", { n: 2 });
    queue.letGo(1);
    await work;
    assert.deepEqual(told, [first.id]);
    assert.deepEqual(
      [first.id, second.id].map((id) => queue.engine.job(id)?.state),
      ["done", "pending"],
    );
  });

  test("takes those of its own workspace alone", async () => {
    await using queue = await makeQueue();
    const elsewhere = await queue.another({ workspace: queue.home });
    const { id } = await queue.engine.submit("record", { n: 1 });
    await elsewhere.work({ once: true });
    assert.equal(queue.engine.job(id)?.state, "pending");
    await elsewhere.close();
  });

  test("refuses options that make no sense", async () => {
    await using queue = await makeQueue();
    for (const options of [{ once: 1 }, { signal: 1 }, { onEnd: 1 }, { twice: true }, null])
      await assert.rejects(queue.engine.work(options as never), { name: "TypeError" });
    for (const filter of [{ state: "gone" }, { limit: 0 }, { limit: 1.5 }, { tool: 1 }, { stat: "done" }])
      assert.throws(() => queue.engine.jobs(filter as never), /TypeError|RangeError/u);
  });

  test("is refused with everything else once the engine is closed", async () => {
    await using queue = await makeQueue();
    await queue.engine.close();
    await assert.rejects(queue.engine.work(), /engine is closed/u);
    await assert.rejects(queue.engine.submit("record"), /engine is closed/u);
    assert.throws(() => queue.engine.jobs(), /engine is closed/u);
  });
});

test("`engine.jobs` lists the newest first, by state and by tool, and no more than asked for", async () => {
  await using queue = await makeQueue();
  const ids: string[] = [];
  for (const [tool, n] of [
    ["record", 1],
    ["refuse", 2],
    ["record", 3],
  ] as const)
    ids.unshift((await queue.engine.submit(tool, { n })).id);
  await queue.engine.work({ once: true });
  const list = (filter: Parameters<typeof queue.engine.jobs>[0]): readonly string[] => queue.engine.jobs(filter).map(({ id }) => id);
  assert.deepEqual(list({}), ids);
  assert.deepEqual(list({ limit: 1 }), ids.slice(0, 1));
  assert.deepEqual(list({ state: "failed" }), [ids[1]]);
  assert.deepEqual(list({ state: ["done", "failed"], tool: "record" }), [ids[0], ids[2]]);
  assert.deepEqual(list({ state: "pending" }), []);
  assert.equal(queue.engine.jobs({ state: "failed" })[0]?.outcome?.error?.code, "TOOL_ERROR");
});
