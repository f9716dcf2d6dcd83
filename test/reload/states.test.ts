import assert from "node:assert/strict";
import { cpSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, test } from "node:test";
import { createEngine, GrantError } from "toolcell";
import { HOLD, startCall } from "../support/calls.ts";
import { makeTempFolder, toolFile, writeFiles } from "../support/capabilities.ts";
import { makeEngine, type TestEngine } from "../support/engines.ts";
import { canSeeProcesses, keeperPids, until } from "../support/processes.ts";
import { EventLog } from "./an-event-log.ts";

const SAY = (word: string, name = "say"): string => toolFile(name, `const run = () => "${word}";`);
const names = ({ engine }: TestEngine): readonly string[] =>
  engine
    .tools()
    .filter(({ source }) => source !== "toolcell")
    .map(({ name }) => name);
const entry = ({ engine }: TestEngine, name = "demo") => engine.capabilities().find((capability) => capability.name === name);

describe("what changes on disk", () => {
  test("a folder that appears is there, its tools come and go with their files, and it goes with its folder", async () => {
    await using made = await makeEngine();
    const events = new EventLog(made.engine);
    writeFiles(made.folder, { "demo/say.js": SAY("first") });
    await events.seen("added", '"demo","tools":["say"]');
    assert.equal((await made.engine.call("say")).text, "first");
    writeFiles(made.folder, { "demo/more.js": SAY("more", "more") });
    await events.seen("reloaded", '"addedTools":["more"]');
    assert.deepEqual(names(made), ["more", "say"]);
    rmSync(path.join(made.folder, "demo/more.js"));
    await events.seen("reloaded", '"removedTools":["more"]');
    assert.equal((await made.engine.call("more")).error?.code, "UNKNOWN_TOOL");
    assert.equal((await made.engine.call("say")).text, "first");
    rmSync(path.join(made.folder, "demo"), { recursive: true });
    await events.seen("removed", "demo");
    assert.equal((await made.engine.call("say")).error?.code, "UNKNOWN_TOOL");
    assert.equal(entry(made), undefined);
  });

  test("a helper that changes is a change, and one that is saved without one is none", async () => {
    await using made = await makeEngine({
      "demo/say.js": `import { word } from "./lib/_word.js";\n${toolFile("say", "const run = () => word;")}`,
      "demo/lib/_word.js": 'export const word = "first";',
    });
    const events = new EventLog(made.engine);
    assert.equal((await made.engine.call("say")).text, "first");
    writeFiles(made.folder, { "demo/lib/_word.js": 'export const word = "first";', "demo/notes.txt": "x", "demo/cache/a.bin": "x" });
    writeFiles(made.folder, { "demo/lib/_word.js": 'export const word = "second";' });
    await events.seen("reloaded");
    assert.equal((await made.engine.call("say")).text, "second");
    assert.equal(events.lines.filter((line) => line.startsWith("reloaded")).length, 1);
  });

  test("a broken save takes no tool away: the last good code serves, the listing says why, and the next good one takes over", async () => {
    await using made = await makeEngine({ "demo/say.js": SAY("good"), "demo/other.js": SAY("other", "other") });
    const events = new EventLog(made.engine);
    for (const [broken, reason] of [
      ["export const NAME = ;", /say\.js:1: Syntax error/u],
      ['import "./_gone.js";\n' + SAY("x"), /say\.js:1: .*_gone\.js/u],
      [SAY("clash", "math_evaluate"), /math_evaluate/u],
      [`throw new Error("no start");\n${SAY("x")}`, /no start/u],
    ] as const) {
      assert.equal((await made.engine.call("say")).text, "good");
      writeFiles(made.folder, { "demo/say.js": broken });
      await until(() => reason.test(entry(made)?.kept ?? ""));
      assert.match(await events.seen("kept"), /"capability":"demo"/u);
      assert.deepEqual(names(made), ["other", "say"]);
      assert.equal((await made.engine.call("say")).text, "good");
      assert.ok(made.engine.skipped().some(({ source, reason: why }) => source === "demo" && reason.test(why)));
    }
    writeFiles(made.folder, { "demo/index.js": "export const LABEL = 5;" });
    await until(() => /LABEL/u.test(entry(made)?.kept ?? ""));
    assert.equal((await made.engine.call("say")).text, "good");
    writeFiles(made.folder, { "demo/index.js": "", "demo/say.js": SAY("better") });
    rmSync(path.join(made.folder, "demo/index.js"));
    await events.seen("reloaded");
    assert.equal(entry(made)?.kept, null);
    assert.equal((await made.engine.call("say")).text, "better");
  });

  test("a new file that is broken is listed, and what is sound beside it is taken", async () => {
    await using made = await makeEngine({ "demo/say.js": SAY("first") });
    const events = new EventLog(made.engine);
    writeFiles(made.folder, { "demo/bad.js": "export const NAME = ;", "demo/say.js": SAY("second") });
    await events.seen("reloaded");
    await until(() => (entry(made)?.broken.length ?? 0) > 0);
    assert.equal((await made.engine.call("say")).text, "second");
    assert.equal(entry(made)?.kept, null);
  });

  test("a folder that is replaced whole is the new one, also by a rename", async () => {
    await using made = await makeEngine({ "demo/say.js": SAY("first") });
    await made.engine.call("say");
    using aside = makeTempFolder();
    writeFiles(aside.path, { "demo/say.js": SAY("second") });
    const old = path.join(aside.path, "old");
    renameSync(path.join(made.folder, "demo"), old);
    cpSync(path.join(aside.path, "demo"), path.join(made.folder, "demo"), { recursive: true });
    for (;;) if ((await made.engine.call("say")).text === "second") break;
    rmSync(path.join(made.folder, "demo"), { recursive: true });
    cpSync(old, path.join(made.folder, "demo"), { recursive: true });
    for (;;) if ((await made.engine.call("say")).text === "first") break;
  });

  test("a folder that becomes a file, or takes another's name, is reported and harms nobody", async () => {
    await using made = await makeEngine({ "demo/say.js": SAY("demo"), "other/tell.js": SAY("other", "tell") });
    using second = makeTempFolder();
    const events = new EventLog(made.engine);
    rmSync(path.join(made.folder, "demo"), { recursive: true });
    writeFileSync(path.join(made.folder, "demo"), "no folder");
    await events.seen("removed", "demo");
    assert.ok(made.engine.skipped().some(({ name, reason }) => name === "demo" && /is a file/u.test(reason)));
    assert.equal((await made.engine.call("tell")).text, "other");
    writeFiles(second.path, { "third/third.js": SAY("third", "third"), "other/clash.js": SAY("clash", "clash") });
    await using engine = await createEngine({ home: made.home, capabilities: [made.folder, second.path], log: () => undefined });
    assert.equal((await engine.call("third")).text, "third");
    assert.ok(engine.skipped().some(({ name, reason }) => name === "other" && /taken/u.test(reason)));
    renameSync(path.join(second.path, "third"), path.join(second.path, "fourth"));
    await until(() => engine.capabilities().some(({ name }) => name === "fourth"));
    assert.equal((await engine.call("third")).text, "third");
    assert.equal((await engine.call("tell")).text, "other");
  });

  test("a change of words alone is listed at once, and leaves the cell and what it keeps", async () => {
    const count = toolFile("count", "const run = () => String((calls += 1));", { code: "let calls = 0;" });
    await using made = await makeEngine({ "demo/index.js": 'export const LABEL = "One";', "demo/count.js": count });
    const events = new EventLog(made.engine);
    assert.equal((await made.engine.call("count")).text, "1");
    writeFiles(made.folder, { "demo/index.js": 'export const LABEL = "Two";' });
    await events.seen("reloaded");
    assert.equal(entry(made)?.label, "Two");
    assert.equal((await made.engine.call("count")).text, "2");
    assert.equal(events.lines.filter((line) => line.startsWith("started")).length, 1);
  });

  test("a capability that comes late is asked about as the others were", async () => {
    const keep = toolFile(
      "keep",
      'const run = async (context) => { await context.storage.set("a", "kept"); return await context.storage.get("a"); };',
    );
    await using made = await makeEngine({}, { policy: { grant: ({ capability }) => capability === "late" } });
    const events = new EventLog(made.engine);
    writeFiles(made.folder, { "late/index.js": "export const PERMISSIONS = { storage: true };", "late/keep.js": keep });
    await events.seen("added", "late");
    assert.equal((await made.engine.call("keep")).text, "kept");
  });

  test("two saves during a swap end in the latest", async () => {
    await using made = await makeEngine({ "demo/say.js": SAY("1"), "demo/hold.js": toolFile("hold", HOLD) });
    const events = new EventLog(made.engine);
    const held = startCall(made.engine, "hold");
    await held.begun;
    writeFiles(made.folder, { "demo/say.js": SAY("2") });
    await events.seen("reloaded");
    const waiting = made.engine.call("say");
    writeFiles(made.folder, { "demo/say.js": SAY("3") });
    await until(() => events.lines.filter((line) => line.startsWith("reloaded")).length === 2);
    held.cancel();
    assert.equal((await waiting).text, "3");
  });

  test("without `watch` nothing is noticed before `refresh`", async () => {
    await using made = await makeEngine({ "demo/say.js": SAY("first") }, { watch: false });
    await made.engine.call("say");
    writeFiles(made.folder, { "demo/say.js": SAY("second") });
    assert.equal((await made.engine.call("say")).text, "first");
    await made.engine.refresh();
    assert.equal((await made.engine.call("say")).text, "second");
  });
});

describe("switches", () => {
  test("what is off is in no listing but the owner's, ends with its unload, and stays off in the home", async () => {
    await using made = await makeEngine({
      "demo/say.js": toolFile("say", 'const run = () => "said";', { code: 'export const unload = () => console.log("unloaded");' }),
    });
    const events = new EventLog(made.engine);
    await made.engine.call("say");
    await made.engine.disable("demo");
    assert.deepEqual(names(made), []);
    const outcome = await made.engine.call("say");
    assert.equal(outcome.error?.code, "UNKNOWN_TOOL");
    assert.doesNotMatch(outcome.text, /There is: .*\bsay\b/u);
    assert.deepEqual([entry(made)?.enabled, entry(made)?.state], [false, "disabled"]);
    await events.seen("stopped");
    assert.ok(made.log.some(({ message }) => message === "unloaded"));
    await using again = await createEngine({ home: made.home, capabilities: [made.folder], log: () => undefined });
    assert.equal((await again.call("say")).error?.code, "UNKNOWN_TOOL");
    // What one process switches holds in the other.
    await again.enable("demo");
    await until(() => names(made).length === 1);
    assert.equal((await made.engine.call("say")).text, "said");
    assert.ok(events.lines.includes('disabled {"capability":"demo"}') && events.lines.includes('enabled {"capability":"demo"}'));
  });

  test("a call in flight ends as it would when its capability is switched off", async () => {
    await using made = await makeEngine({ "demo/hold.js": toolFile("hold", HOLD.replace('resolve("let go")', 'resolve("late")')) });
    const slow = startCall(made.engine, "hold");
    await slow.begun;
    await made.engine.disable("demo");
    slow.cancel();
    assert.equal((await slow.outcome).error?.code, "CANCELLED");
  });

  test("an unknown capability and a damaged file are refused in words, and where it is damaged nothing of a stranger's is on", async () => {
    await using made = await makeEngine({ "demo/say.js": SAY("said") });
    await assert.rejects(made.engine.disable("nobody"), (error) => error instanceof GrantError && error.code === "UNKNOWN_CAPABILITY");
    writeFileSync(path.join(made.home, "switches.json"), '{ "version": 1, "disabled": [');
    await until(() => names(made).length === 0);
    assert.equal((await made.engine.call("say")).error?.code, "UNKNOWN_TOOL");
    await assert.rejects(made.engine.enable("demo"), (error) => error instanceof GrantError && error.code === "SWITCHES_DAMAGED");
    assert.equal(readFileSync(path.join(made.home, "switches.json"), "utf8"), '{ "version": 1, "disabled": [');
    await made.engine.refresh();
    assert.ok(made.log.some(({ level, message }) => level === "error" && message.includes("switches.json")));
    rmSync(path.join(made.home, "switches.json"));
    await until(() => names(made).length === 1);
  });
});

describe("a capability that crashes again and again", { skip: !canSeeProcesses && "needs /proc" }, () => {
  test("is kept off for a while that grows, says so, harms nobody beside it, and has another chance with new code", async () => {
    const die = toolFile("die", HOLD.replace("const run", "const run"));
    await using made = await makeEngine(
      { "demo/die.js": die, "other/say.js": SAY("said") },
      { limits: { spareCount: 0, crashCount: 2, quarantineMs: 150 } },
    );
    const events = new EventLog(made.engine);
    const crash = async (): Promise<string | undefined> => {
      const before = new Set(keeperPids());
      const held = startCall(made.engine, "die");
      await held.begun;
      for (const pid of keeperPids()) if (!before.has(pid)) process.kill(pid, "SIGKILL");
      return (await held.outcome).error?.code;
    };
    assert.deepEqual([await crash(), await crash()], ["CELL_CRASHED", "CELL_CRASHED"]);
    const refused = await made.engine.call("die");
    assert.deepEqual([refused.error?.code, refused.error?.phase, refused.error?.started], ["QUARANTINED", "start", false]);
    assert.match(refused.text, /"demo" crashed again and again.*kept off for 1 s more/u);
    assert.equal(entry(made)?.state, "quarantined");
    assert.equal((await made.engine.call("say")).text, "said");
    await until(() => entry(made)?.state === "ready");
    assert.equal(await crash(), "CELL_CRASHED");
    assert.deepEqual(
      events.lines.filter((line) => line.startsWith("quarantined")),
      ['quarantined {"capability":"demo","ms":150}', 'quarantined {"capability":"demo","ms":300}'],
    );
    writeFiles(made.folder, { "demo/die.js": SAY("repaired", "die") });
    await events.seen("reloaded");
    assert.equal((await made.engine.call("die")).text, "repaired");
  });
});

describe("a cell that dies while it is idle", { skip: !canSeeProcesses && "needs /proc" }, () => {
  test("is no error to the next call, not even to one in the same instant", async () => {
    await using made = await makeEngine({ "demo/say.js": SAY("said") }, { limits: { spareCount: 0, crashCount: 100 } });
    for (let round = 0; round < 20; round += 1) {
      assert.equal((await made.engine.call("say")).text, "said");
      // One that answered with its last breath may be gone by now.
      for (const pid of keeperPids()) process.kill(pid, "SIGKILL");
      assert.equal((await made.engine.call("say")).text, "said");
    }
  });
});

test("an event that is none and a listener that throws harm nobody", async () => {
  await using made = await makeEngine({ "demo/say.js": SAY("first") });
  assert.throws(() => made.engine.on("gone" as "added", () => undefined), /There is no event "gone"/u);
  made.engine.on("started", () => {
    throw new Error("mine");
  });
  const off = made.engine.on("started", () => assert.fail("it was taken off"));
  off();
  assert.equal((await made.engine.call("say")).text, "first");
  assert.ok(
    made.log.some(({ level, message, detail }) => level === "error" && message.includes('"started"') && /mine/u.test(detail ?? "")),
  );
});
