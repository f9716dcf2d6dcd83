import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { QueueError, Slots } from "../../src/engine/slots.ts";

interface Asked {
  readonly capability?: string;
  readonly concurrency?: number;
  readonly waitMs?: number;
  readonly signal?: AbortSignal;
}

// Takes places one after the other and notes in which order they are had. Nobody waits on when it is done.
function createTaker(slots: Slots) {
  const had: string[] = [];
  const over = new AbortController();
  const take = (
    name: string,
    { capability = "one", concurrency = 1, waitMs = 60_000, signal = over.signal }: Asked = {},
  ): Promise<void> => {
    const turn = slots.take(capability, concurrency, { until: performance.now() + waitMs, waitMs, signal });
    if (turn === null) {
      had.push(name);
      return Promise.resolve();
    }
    const taken = turn.then(() => void had.push(name));
    taken.catch(() => undefined);
    return taken;
  };
  return { had, take, [Symbol.dispose]: () => over.abort() };
}

const turns = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
const refusedAs = (code: string) => (error: unknown) => error instanceof QueueError && error.code === code;

describe("a place", () => {
  test("that is free is had at once", () => {
    using taker = createTaker(new Slots(2, 10));
    const { had, take } = taker;
    void take("a");
    void take("b", { capability: "two" });
    assert.deepEqual(had, ["a", "b"]);
  });

  test("is given on to who has waited longest", async () => {
    const slots = new Slots(10, 10);
    using taker = createTaker(slots);
    const { had, take } = taker;
    for (const name of ["a", "b", "c", "d"]) void take(name);
    for (const so_far of [["a"], ["a", "b"], ["a", "b", "c"], ["a", "b", "c", "d"]]) {
      await turns();
      assert.deepEqual(had, so_far);
      slots.leave("one");
    }
  });

  test("of the engine's is not taken by who waits for the capability's", async () => {
    const slots = new Slots(2, 10);
    using taker = createTaker(slots);
    const { had, take } = taker;
    for (const name of ["a", "b", "c"]) void take(name);
    void take("x", { capability: "two" });
    await turns();
    assert.deepEqual(had, ["a", "x"]);
  });

  test("of the capability's is held by who waits for the engine's, in the order of their coming", async () => {
    const slots = new Slots(1, 10);
    using taker = createTaker(slots);
    const { had, take } = taker;
    void take("a");
    void take("x", { capability: "two" });
    void take("b");
    slots.leave("one");
    await turns();
    assert.deepEqual(had, ["a", "x"]);
    slots.leave("two");
    await turns();
    assert.deepEqual(had, ["a", "x", "b"]);
  });

  test("more there is at once where new code allows it", async () => {
    const slots = new Slots(10, 10);
    using taker = createTaker(slots);
    const { had, take } = taker;
    for (const name of ["a", "b", "c"]) void take(name);
    void take("d", { concurrency: 3 });
    await turns();
    assert.deepEqual(had, ["a", "b", "c"]);
  });
});

describe("who waits", () => {
  test("is turned away behind as many as may wait", () => {
    using taker = createTaker(new Slots(10, 2));
    const { take } = taker;
    for (const name of ["a", "b", "c"]) void take(name);
    assert.throws(() => take("d"), refusedAs("BUSY"));
    // The line is the capability's own.
    void take("x", { capability: "two" });
  });

  test("gives up when its time is over, and leaves the line to the others", async () => {
    const slots = new Slots(10, 2);
    using taker = createTaker(slots);
    const { had, take } = taker;
    void take("a");
    const hasty = take("b", { waitMs: 20 });
    const patient = take("c");
    await assert.rejects(hasty, refusedAs("QUEUE_TIMEOUT"));
    const late = take("d");
    slots.leave("one");
    await patient;
    slots.leave("one");
    await late;
    assert.deepEqual(had, ["a", "c", "d"]);
  });

  test("gives up when it is cancelled, in either line, and then holds nothing", async () => {
    const slots = new Slots(1, 10);
    using taker = createTaker(slots);
    const { had, take } = taker;
    const [own, engines] = [new AbortController(), new AbortController()];
    void take("a");
    const inOwn = take("b", { signal: own.signal });
    const inEngines = take("x", { capability: "two", signal: engines.signal });
    own.abort();
    engines.abort();
    await assert.rejects(inOwn, refusedAs("CANCELLED"));
    await assert.rejects(inEngines, refusedAs("CANCELLED"));
    assert.throws(() => take("c", { signal: own.signal }), refusedAs("CANCELLED"));
    slots.leave("one");
    await take("y", { capability: "two" });
    assert.deepEqual(had, ["a", "y"]);
  });

  test("has its place even where it gives up too late", async () => {
    const slots = new Slots(10, 10);
    using taker = createTaker(slots);
    const { had, take } = taker;
    const giveUp = new AbortController();
    void take("a");
    const waiting = take("b", { signal: giveUp.signal });
    slots.leave("one");
    giveUp.abort();
    await waiting;
    slots.leave("one");
    await take("c");
    assert.deepEqual(had, ["a", "b", "c"]);
  });

  test("for ever by the thousand is let in one by one", async () => {
    const slots = new Slots(8, 100_000);
    using taker = createTaker(slots);
    const { had, take } = taker;
    const all = Array.from({ length: 2000 }, (_, index) => take(String(index), { concurrency: 4 }).then(() => slots.leave("one")));
    await Promise.all(all);
    assert.deepEqual(
      had,
      Array.from({ length: 2000 }, (_, index) => String(index)),
    );
  });
});
