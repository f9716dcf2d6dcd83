import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { createEngine, LIMITS, type LimitName, type Limits } from "toolcell";
import { readLimits } from "../../src/engine/options.ts";
import { toolFile } from "../support/capabilities.ts";
import { makeEngine } from "../support/engines.ts";

const KiB = 1024;
const MiB = 1024 * KiB;

test("the default of every limit is meant", () => {
  assert.deepEqual(Object.fromEntries(Object.entries(LIMITS).map(([name, { value }]) => [name, value])), {
    callMs: 30_000,
    idleMs: 0,
    cpuMs: 10_000,
    memoryBytes: 128 * MiB,
    resultBytes: 6 * MiB,
    concurrency: 64,
    callCount: 256,
    queueCount: 256,
    queueMs: 30_000,
    startMs: 10_000,
    argumentBytes: 4 * MiB,
    depthCount: 128,
    faultCount: 20,
    messageChars: 4000,
    valueCount: 250_000,
    imageCount: 8,
    imageBytes: 4 * MiB,
    promptChars: 2000,
    progressCount: 64,
    progressMs: 100,
    detailChars: 500,
    logCount: 1000,
    logChars: 4000,
    timerCount: 256,
    frameCount: 50_000,
    graceMs: 250,
    idleStopMs: 60_000,
    drainMs: 5000,
    unloadMs: 1000,
    crashCount: 5,
    crashWindowMs: 60_000,
    quarantineMs: 2000,
    quarantineMaxMs: 600_000,
    cellCount: 24,
    sharedCellCount: 8,
    spareCount: 1,
    residentBytes: 160 * MiB,
    watchMs: 50,
    keeperHeapBytes: 64 * MiB,
    stderrBytes: 64 * KiB,
    sourceBytes: 1 * MiB,
    toolCount: 128,
    dependencyCount: 2000,
    descriptionChars: 10_000,
    literalCount: 20_000,
    schemaBytes: 64 * KiB,
    schemaDepthCount: 32,
    schemaPropertyCount: 1000,
    schemaEnumCount: 1000,
    schemaRefCount: 10_000,
    inputCount: 5000,
    inputBytes: 24 * MiB,
    bundleBytes: 16 * MiB,
    admitMs: 20_000,
    admitHeapBytes: 512 * MiB,
    cacheBytes: 512 * MiB,
    cacheCount: 20_000,
    admitCount: 2,
    moduleCount: 256,
    listMs: 5000,
    listBytes: 8 * MiB,
    listWaitMs: 10_000,
    jobMs: 1_800_000,
    jobRunCount: 4,
    jobQueueCount: 10_000,
    jobBytes: 1024 * MiB,
    jobOutcomeBytes: 64 * MiB,
    jobKeepMs: 604_800_000,
    jobKeepCount: 1000,
    jobTryCount: 3,
    jobPollMs: 100,
    jobLeaseMs: 30_000,
    settleMs: 40,
    settleMaxMs: 1000,
    watchCount: 4096,
    dataBytes: 384 * MiB,
    nativeBytes: 16 * MiB,
    nativeStreamCount: 32,
    deriveCount: 2_000_000,
    powerCount: 10_000,
    powerInFlightCount: 16,
    powerBytes: 16 * MiB,
    effectCount: 1000,
    storageKeyBytes: 512,
    storageValueBytes: 256 * KiB,
    storageBytes: 16 * MiB,
    storageCount: 10_000,
    processMs: 20_000,
    processCount: 32,
    processInputBytes: 1 * MiB,
    processOutputBytes: 1 * MiB,
    fetchMs: 30_000,
    fetchBytes: 32 * MiB,
    fetchBodyBytes: 8 * MiB,
    fetchCount: 200,
    fetchInFlightCount: 32,
    fetchRatePerMinuteCount: 600,
    fetchRedirectCount: 5,
    fetchUrlChars: 8192,
    fetchHeaderBytes: 32 * KiB,
    fetchHeaderCount: 128,
    readBytes: 16 * MiB,
    listCount: 10_000,
    fileBytes: 64 * MiB,
    writtenBytes: 512 * MiB,
    tempBytes: 256 * MiB,
    tempCount: 10_000,
  });
});

test("every limit has its unit in its name, its abuse in words and its default in its range", () => {
  for (const [name, { value, min, max, stops }] of Object.entries(LIMITS)) {
    assert.match(name, /(?:Ms|Bytes|Count|Chars|^concurrency)$/u);
    assert.ok(Number.isSafeInteger(min) && Number.isSafeInteger(max) && min <= value && value <= max, name);
    assert.ok(stops.length > 10, name);
  }
});

describe("overrides", () => {
  for (const name of Object.keys(LIMITS) as LimitName[]) {
    const { min, max } = LIMITS[name];
    test(`${name} may be anything from ${min} to ${max}`, () => {
      assert.equal(readLimits({ [name]: min })[name], min);
      assert.equal(readLimits({ [name]: max })[name], max);
      for (const value of [min - 1, max + 1]) assert.throws(() => readLimits({ [name]: value }), rangeErrorNaming(name, value));
    });

    test(`${name} must be a whole number`, () => {
      for (const value of [Number.NaN, Infinity, -Infinity, -1, 0.5, 2 ** 53, "100", null, true, 1n, [1], {}, undefined]) {
        const limits = { [name]: value } as unknown as Partial<Limits>;
        assert.throws(() => readLimits(limits), rangeErrorNaming(name, value));
      }
    });
  }

  test("an engine is not made with a limit out of its range, and says which and why", async () => {
    for (const value of [Number.NaN, Infinity, 0, -1, 0.5, "100", 2 ** 53])
      await assert.rejects(createEngine({ limits: { callMs: value as number } }), {
        name: "RangeError",
        message: `Limit \`callMs\` must be a whole number from 10 to 86400000, not ${String(value)}`,
      });
  });

  test("a limit that there is none of is refused by name", async () => {
    for (const name of ["callSeconds", "toString", "constructor", "hasOwnProperty"])
      await assert.rejects(createEngine({ limits: { [name]: 1 } }), {
        name: "RangeError",
        message: `There is no limit \`${name}\`. docs/limits.md lists them`,
      });
    const limits = JSON.parse('{"__proto__": 1}') as Partial<Limits>;
    await assert.rejects(createEngine({ limits }), { name: "RangeError", message: /`__proto__`/u });
  });

  test("limits that are no object are refused", () => {
    for (const limits of [5, "fast", true, [1], () => 1])
      assert.throws(() => readLimits(limits as unknown as Partial<Limits>), { name: "TypeError", message: /`limits`/u });
  });
});

describe("a capability's own LIMITS", () => {
  const files = {
    "modest/index.js": "export const LIMITS = { callMs: 40, resultBytes: 2000 };",
    "modest/modest_long.js": toolFile("modest_long", "const run = () => ({ text: '', payload: 'x'.repeat(2500) });"),
    "modest/modest_never.js": toolFile("modest_never", "const run = () => new Promise(() => {});"),
    "greedy/index.js": "export const LIMITS = { callMs: 80_000_000, resultBytes: 60_000_000 };",
    "greedy/greedy_long.js": toolFile("greedy_long", "const run = () => ({ text: '', payload: 'x'.repeat(4500) });"),
    "greedy/greedy_never.js": toolFile("greedy_never", "const run = () => new Promise(() => {});"),
  };
  const limits = { callMs: 90, resultBytes: 4000 };

  test("lower what the engine allows", async () => {
    await using made = await makeEngine(files, { limits });
    const never = await made.engine.call("modest_never");
    assert.deepEqual(never.error?.limit, { name: "callMs", value: 40 });
    assert.equal((await made.engine.call("modest_long")).error?.code, "BAD_RESULT");
  });

  test("never raise it: one that declares more has the engine's", async () => {
    await using made = await makeEngine(files, { limits });
    const never = await made.engine.call("greedy_never");
    assert.deepEqual(never.error?.limit, { name: "callMs", value: 90 });
    assert.equal((await made.engine.call("greedy_long")).error?.code, "BAD_RESULT");
  });

  test("a caller's `timeoutMs` never gives a call more than its capability declares", async () => {
    await using made = await makeEngine(files, { limits });
    const outcome = await made.engine.call("modest_never", {}, { timeoutMs: 80_000_000 });
    assert.deepEqual(outcome.error?.limit, { name: "callMs", value: 40 });
  });
});

function rangeErrorNaming(name: string, value: unknown) {
  return (error: unknown): boolean =>
    error instanceof RangeError && error.message.includes(`\`${name}\``) && error.message.includes(String(value));
}
