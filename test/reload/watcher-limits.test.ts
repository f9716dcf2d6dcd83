import assert from "node:assert/strict";
import { once } from "node:events";
import { describe, test } from "node:test";
import { DEFAULTS, watched, writer } from "./watched.ts";

const FILES = { "weather/get.ts": "1", "other/a.ts": "1" };

describe("settleMs", () => {
  test("at it, a save is told once the folder was quiet for as long, and a few milliseconds after", async () => {
    await using made = await watched(FILES);
    const times: number[] = [];
    for (let turn = 0; turn < 20; turn += 1) {
      const start = performance.now();
      made.write("caps/weather/get.ts", `turn ${turn}`);
      await made.told.next("folder caps/weather");
      times.push(performance.now() - start);
    }
    const fastest = Math.min(...times);
    assert.ok(fastest >= DEFAULTS.settleMs && fastest < DEFAULTS.settleMs + 10, `${fastest} ms`);
    assert.deepEqual(await made.toldOf(), []);
  });

  test("over it, saves further apart are told one by one", async () => {
    await using made = await watched(FILES, { limits: { settleMs: 1 } });
    const child = writer(made, 5, 50);
    for (let turn = 0; turn < 5; turn += 1) await made.told.next("folder caps/weather");
    await once(child, "exit");
  });

  test("raised, they are one", async () => {
    await using made = await watched(FILES, { limits: { settleMs: 500, settleMaxMs: 60_000 } });
    await once(writer(made, 5, 50), "exit");
    assert.deepEqual(await made.toldOf(), ["folder caps/weather"]);
  });
});

describe("settleMaxMs", () => {
  test("at it, saves without end are told all the same", async () => {
    await using made = await watched(FILES, { limits: { settleMs: 200, settleMaxMs: 500 } });
    const child = writer(made, Infinity, 2);
    await made.told.next("folder caps/weather");
    const start = performance.now();
    await made.told.next("folder caps/weather");
    const tookMs = performance.now() - start;
    assert.equal(child.exitCode, null);
    assert.ok(tookMs >= 500, `${tookMs} ms`);
    child.kill();
    await once(child, "exit");
  });

  test("over it, they are told again and again", async () => {
    await using made = await watched(FILES, { limits: { settleMs: 200, settleMaxMs: 20 } });
    const child = writer(made, Infinity, 2);
    for (let turn = 0; turn < 10; turn += 1) await made.told.next("folder caps/weather");
    assert.equal(child.exitCode, null);
    child.kill();
    await once(child, "exit");
  });

  test("raised, they wait for quiet, and hold up no other folder", async () => {
    await using made = await watched(FILES, { limits: { settleMs: 500, settleMaxMs: 60_000 } });
    const child = writer(made, Infinity, 2);
    made.write("caps/other/a.ts", "2");
    assert.equal(await made.told.next("folder"), "folder caps/other");
    child.kill();
    await once(child, "exit");
    await made.told.next("folder caps/weather");
  });
});

describe("watchCount", () => {
  // The roots caps and last, and in them weather, other and told.
  const needed = 5;

  test("at it, everything is watched", async () => {
    await using made = await watched(FILES, { limits: { watchCount: needed } });
    assert.deepEqual(made.told.rest(), []);
  });

  test("over it, what is one too many is named and looked at", async () => {
    await using made = await watched(FILES, { limits: { watchCount: needed - 1 } });
    const [trouble = "", ...others] = made.told.rest();
    assert.match(trouble, /^trouble [\w/]+: 4 folders are watched already, .* raise the limit `watchCount`$/u);
    assert.deepEqual(others, []);
    for (const file of ["caps/weather/get.ts", "caps/other/a.ts"]) {
      made.write(file, "2");
      await made.told.next(`folder ${file.slice(0, file.lastIndexOf("/"))}`);
    }
  });

  test("raised, it lets what is followed be watched too", async () => {
    await using made = await watched({ ...FILES, "weather/lib/x.ts": "1" }, { limits: { watchCount: needed + 1 } });
    made.watcher.follow(made.in("caps/weather"), ["lib/x.ts"]);
    await made.watcher.refresh();
    await made.told.next("folder caps/weather");
    assert.deepEqual(await made.toldOf(), []);
  });
});
