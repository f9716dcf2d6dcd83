import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { toolFile } from "../support/capabilities.ts";
import { makeEngine, type TestEngine } from "../support/engines.ts";

const TOOLS: Readonly<Record<string, string>> = {
  order: `async () => {
    const heard = [];
    const say = (word) => heard.push(word);
    await new Promise((resolve) => {
      setTimeout(() => { say("late"); resolve(); }, 30);
      setTimeout(say, 0, "argument");
      queueMicrotask(() => say("microtask"));
      say("now");
    });
    return heard.join(" ");
  }`,
  repeat: `() => new Promise((resolve) => {
    let count = 0;
    const timer = setInterval(() => { count += 1; if (count === 3) { clearInterval(timer); resolve("three"); } }, 1);
  })`,
  cleared: `async () => {
    let fired = "nothing fired";
    const timer = setTimeout(() => { fired = "fired"; }, 1);
    clearTimeout(timer);
    clearTimeout(timer);
    clearInterval(undefined);
    clearTimeout("no timer");
    await new Promise((resolve) => setTimeout(resolve, 20));
    return fired;
  }`,
  odd_delays: `() => Promise.all([NaN, -5, undefined, "2", Infinity, {}].map((delay) => new Promise((resolve) => setTimeout(resolve, delay)))).then(() => "all fired")`,
  no_function: `() => { const faults = []; for (const set of [setTimeout, setInterval, queueMicrotask]) try { set("code()"); } catch (error) { faults.push(error.name); } return faults.join(); }`,
  throws: `(context) => { setTimeout(() => { throw new Error("background"); }, 1); return new Promise((resolve) => setTimeout(() => resolve("went on"), 20)); }`,
  rejects: `(context) => { Promise.reject(new Error("nobody listens")); return new Promise((resolve) => setTimeout(() => resolve("went on"), 5)); }`,
  // Zombies: each leaves something running behind an ended call. \`leaks\` is the next call's to look at.
  leave_interval: `() => { setInterval(() => { leaks.push("interval"); }, 1); return "left"; }`,
  leave_loop: `() => { (async () => { for (;;) { await new Promise((resolve) => setTimeout(resolve, 1)); leaks.push("loop"); } })(); return "left"; }`,
  leave_resolve: `() => { const end = { text: "first" }; return new Promise((resolve) => { resolve(end); setTimeout(() => { leaks.push("late"); resolve({ text: "second" }); }, 1); }); }`,
  leave_rejection: `() => { release.then(() => { throw new Error("from a call that has ended"); }); return "left"; }`,
  let_go: `async () => { letGo(); await undefined; return "untouched"; }`,
  leave_context: `(context) => { const set = setTimeout; release.then(() => { try { set(() => leaks.push("timer"), 1); leaks.push("set") } catch (error) { leaks.push(error.message); } context.progress(1, "zombie"); context.log.error("zombie"); }); return "left"; }`,
  look: `async () => { await new Promise((resolve) => setTimeout(resolve, 30)); return leaks.join() || "no leaks"; }`,
};

let made: TestEngine;
before(async () => {
  const files: Record<string, string> = {
    "demo/_shared.js":
      "export const leaks = [];\nexport let letGo;\nexport const release = new Promise((resolve) => { letGo = resolve; });",
  };
  for (const [name, run] of Object.entries(TOOLS)) {
    files[`demo/${name}.js`] = toolFile(name, `const run = ${run};`, {
      code: 'import { leaks, letGo, release } from "./_shared.js";\nvoid [leaks, letGo, release];',
    });
  }
  made = await makeEngine(files);
});
after(() => made[Symbol.asyncDispose]());

describe("timers", () => {
  for (const [does, tool, text] of [
    ["run in the order of their delays, after the microtasks", "order", "now microtask argument late"],
    ["repeat until they are cleared", "repeat", "three"],
    ["that were cleared do not run, and clearing nothing does nothing", "cleared", "nothing fired"],
    ["take every delay there is as HTML does", "odd_delays", "all fired"],
    ["run functions, never text", "no_function", "TypeError,TypeError,TypeError"],
  ] as const) {
    test(does, async () => assert.equal((await made.engine.call(tool)).text, text));
  }
});

describe("a failure in the background", () => {
  for (const [where, tool, says] of [
    ["a timer", "throws", /background/u],
    ["a promise that nobody awaits", "rejects", /nobody listens/u],
  ] as const) {
    test(`of ${where} ends no call, and the owner reads of it under that call`, async () => {
      const { text, callId } = await made.engine.call(tool);
      assert.equal(text, "went on");
      assert.match(made.log.find((entry) => entry.callId === callId)?.message ?? "", says);
    });
  }
});

describe("what a call leaves behind never touches the next:", () => {
  for (const tool of ["leave_interval", "leave_loop", "leave_resolve"]) {
    test(`${tool.replace("leave_", "")} ended with its call`, async () => {
      const { text } = await made.engine.call(tool);
      assert.match(text, /left|first/u);
      assert.equal((await made.engine.call("look")).text, "no leaks");
    });
  }

  test("a rejection and a context of a call that has ended", async () => {
    assert.equal((await made.engine.call("leave_rejection")).text, "left");
    const zombie = await made.engine.call("leave_context", {}, { onProgress: () => assert.fail("a report of a call that has ended") });
    const said = made.log.filter(({ callId }) => callId === zombie.callId).length;
    const next = await made.engine.call("let_go");
    assert.equal(next.text, "untouched");
    assert.equal(next.ok, true);
    assert.equal((await made.engine.call("look")).ok, true);
    assert.equal(made.log.filter(({ callId }) => callId === zombie.callId).length, said);
  });
});
