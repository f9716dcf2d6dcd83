import assert from "node:assert/strict";
import { test } from "node:test";
import { manyAtOnce, oneByOne, type Contender } from "../../src/bench/contender.ts";
import { orderOf, runRounds, type Plan } from "../../src/bench/rounds.ts";

const PLAN: Plan = { rounds: 4, warmUps: 1, turnMs: 0, least: 3, most: 3 };

function noting(name: string, values: readonly number[], turns: string[] = []): Contender {
  return {
    name,
    run: async (count, note) => {
      turns.push(name);
      for (let made = 0; made < count; made += 1) note(values[made % values.length] ?? 0);
    },
  };
}

test("every contender has one turn in every round, warm-up included", async () => {
  const turns: string[] = [];
  await runRounds([noting("a", [1], turns), noting("b", [1], turns), noting("c", [1], turns)], PLAN);
  assert.equal(turns.length, 15);
  for (let round = 0; round < 5; round += 1) assert.deepEqual(turns.slice(round * 3, round * 3 + 3).toSorted(), ["a", "b", "c"]);
});

test("the order turns: each of them begins, and each comes after more than one other", () => {
  const orders = Array.from({ length: 6 }, (_, round) => orderOf(round, 3));
  assert.deepEqual(new Set(orders.map(([first]) => first)), new Set([0, 1, 2]));
  for (const order of orders)
    assert.deepEqual(
      order.toSorted((one, other) => one - other),
      [0, 1, 2],
    );
  const before = orders.map((order) => order[order.indexOf(1) - 1]);
  assert.ok(new Set(before.filter((one) => one !== undefined)).size > 1);
});

test("no call of a counted round is dropped, and none of a warm-up is counted", async () => {
  const seen: number[] = [];
  const contender: Contender = {
    name: "a",
    run: async (count, note) => Array.from({ length: count }, () => seen.push(seen.length)).forEach((index) => note(index)),
  };
  const [row] = await runRounds([contender], PLAN);
  assert.equal(row?.callsARound, 3);
  assert.equal(row?.rounds.length, 4);
  // Three of the warm-up came first; the twelve after it are all there.
  assert.deepEqual(row?.times, { p50: 9.5, p95: 14.45, p99: 14.89 });
});

test("how many calls a turn has follows from how long it is to take", async () => {
  let waited = 0;
  const slow: Contender = {
    name: "slow",
    run: async (count, note) => {
      for (let made = 0; made < count; made += 1) {
        const end = performance.now() + 2;
        while (performance.now() < end) waited += 1;
        note(2000);
      }
    },
  };
  const [slowRow, quickRow] = await runRounds([slow, noting("quick", [1])], { ...PLAN, turnMs: 20, least: 2, most: 50 });
  assert.ok(waited > 0 && (slowRow?.callsARound ?? 99) <= 10);
  assert.equal(quickRow?.callsARound, 50);
});

test("CPU time is told for a contender that says whose it is, and a rate for one that does not wait", async () => {
  const [plain, own, paced] = await runRounds(
    [noting("plain", [1]), { ...noting("own", [1]), pids: () => [] }, { ...noting("paced", [1]), isPaced: true }],
    PLAN,
  );
  assert.ok(plain?.rounds.every(({ cpu, rate }) => cpu === null && rate !== null));
  assert.ok(own?.rounds.every(({ cpu }) => (process.platform === "linux" ? cpu !== null : cpu === null)));
  assert.ok(paced?.rounds.every(({ rate }) => rate === null));
});

test("what a contender throws ends the run, and so does its signal", async () => {
  const failing = oneByOne("failing", () => {
    throw new Error("no more");
  });
  await assert.rejects(runRounds([failing], PLAN), /no more/);
  await assert.rejects(runRounds([noting("a", [1])], { ...PLAN, signal: AbortSignal.abort(new Error("stop")) }), /stop/);
});

test("so many calls are under way at once, and all of them are made", async () => {
  let [underWay, most, made] = [0, 0, 0];
  const many = manyAtOnce("many", 8, async () => {
    most = Math.max(most, (underWay += 1));
    await new Promise((resolve) => setImmediate(resolve));
    underWay -= 1;
    made += 1;
  });
  const noted: number[] = [];
  await many.run(50, (value) => noted.push(value));
  assert.deepEqual([most, made, noted.length], [8, 50, 50]);
});
