import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { toolFile } from "../support/capabilities.ts";
import { startCall } from "../support/calls.ts";
import { makeEngine, type TestEngine } from "../support/engines.ts";

let made: TestEngine;
before(async () => {
  made = await makeEngine({
    "demo/listen.js": toolFile(
      "listen",
      `const run = (context) => new Promise((resolve, reject) => {
        const { signal } = context;
        const heard = [];
        const twice = () => heard.push("twice");
        const removed = () => heard.push("removed");
        signal.onabort = () => heard.push("onabort");
        signal.addEventListener("abort", twice);
        signal.addEventListener("abort", twice);
        signal.addEventListener("abort", removed);
        signal.removeEventListener("abort", removed);
        signal.addEventListener("abort", () => { throw new Error("listener"); });
        signal.addEventListener("abort", ({ type }) => {
          try { signal.throwIfAborted(); } catch (error) { heard.push(type, error.name, error === signal.reason, signal.aborted); }
          context.log.info(heard.join());
          reject(signal.reason);
        });
        context.progress(null, String(signal.aborted));
      });`,
    ),
    "demo/slow_to_hear.js": toolFile(
      "slow_to_hear",
      "const run = (context) => new Promise((resolve) => { context.signal.onabort = () => { context.log.info('tidied up'); resolve('in my own time'); }; context.progress(null); });",
    ),
    "demo/count.js": toolFile("count", "const run = () => (calls += 1);", { code: "let calls = 0;" }),
  });
});
after(() => made[Symbol.asyncDispose]());

test("the caller's abort reaches every listener of the tool's signal, once", async () => {
  const call = startCall(made.engine, "listen");
  await call.begun;
  call.cancel();
  const { callId, error } = await call.outcome;
  assert.equal(error?.code, "CANCELLED");
  const lines = made.log.filter((entry) => entry.callId === callId).map(({ message }) => message);
  assert.deepEqual(lines, ["Error: listener", "onabort,twice,abort,AbortError,true,true"]);
});

test("a tool that hears it may tidy up, and its cell serves the next call", async () => {
  const counted = Number((await made.engine.call("count")).text);
  const call = startCall(made.engine, "slow_to_hear");
  await call.begun;
  call.cancel();
  const { callId, error } = await call.outcome;
  assert.equal(error?.code, "CANCELLED");
  assert.ok(made.log.some((entry) => entry.callId === callId && entry.message === "tidied up"));
  assert.equal((await made.engine.call("count")).text, String(counted + 1));
});

test("an abort after the end changes nothing", async () => {
  const controller = new AbortController();
  const outcome = await made.engine.call("count", {}, { signal: controller.signal });
  controller.abort();
  assert.equal(outcome.ok, true);
  assert.equal((await made.engine.call("count")).ok, true);
});

test("one signal gives up every call that has it", async () => {
  const controller = new AbortController();
  const calls = ["slow_to_hear", "slow_to_hear", "listen"].map((tool) => startCall(made.engine, tool, {}, { signal: controller.signal }));
  await Promise.all(calls.map(({ begun }) => begun));
  controller.abort();
  for (const { outcome } of calls) assert.equal((await outcome).error?.code, "CANCELLED");
});
