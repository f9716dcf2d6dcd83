import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import * as toolcell from "toolcell";
import * as toolTest from "toolcell/test";
import * as tool from "toolcell/tool";
import { FAILURE_KINDS, FROM_CELL, LOG_LEVELS, POWERS, TO_CELL } from "../src/bridge/messages.ts";
import { EXIT } from "../src/cli/exit.ts";
import { makeEngine } from "./support/engines.ts";

// What stands here is what others build on: a failing line means that a change of it is meant.

test("`toolcell` exports", () => {
  assert.deepEqual(Object.keys(toolcell).sort(), [
    "CODES",
    "CREATION_CODES",
    "FAULT_CODES",
    "GrantError",
    "JobError",
    "LIMITS",
    "RegistryCollisionError",
    "RegistryError",
    "ToolCreationError",
    "WALLS",
    "createEngine",
    "parseAction",
  ]);
});

test("`toolcell/tool` exports", () => {
  assert.deepEqual(Object.keys(tool).sort(), ["ToolConfigError", "ToolError", "getCredential"]);
});

test("`toolcell/test` exports", () => {
  assert.deepEqual(Object.keys(toolTest).sort(), ["assert", "call", "loadTests", "test"]);
});

test("the package has these entries and this command", () => {
  const { exports, bin } = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8")) as {
    exports: object;
    bin: object;
  };
  assert.deepEqual([Object.keys(exports), bin], [[".", "./tool", "./test", "./globals", "./package.json"], { toolcell: "dist/cli.js" }]);
});

test("what only some calls need is not loaded with the engine: it takes as long as all the rest", () => {
  // Of what is loaded, CommonJS packages alone are listed: these are.
  const script = `import { createRequire } from "node:module";
await import("toolcell");
console.log(JSON.stringify(Object.keys(createRequire(import.meta.url).cache)));
await import("undici");
console.log(JSON.stringify(Object.keys(createRequire(import.meta.url).cache)));`;
  const { stdout, stderr } = spawnSync(process.execPath, ["--input-type=module", "-e", script], {
    cwd: import.meta.dirname,
    encoding: "utf8",
  });
  const [before = "", after = ""] = stdout.trim().split("\n");
  assert.equal(before, "[]", stderr);
  assert.match(after, /undici/u);
});

test("an engine can do", async () => {
  await using made = await makeEngine();
  const methods = Object.getOwnPropertyNames(Object.getPrototypeOf(made.engine)).filter((name) => name !== "constructor");
  assert.deepEqual(methods.sort(), [
    "call",
    "cancelJob",
    "capabilities",
    "close",
    "disable",
    "enable",
    "grant",
    "job",
    "jobs",
    "on",
    "promptText",
    "refresh",
    "refreshTools",
    "revoke",
    "runCli",
    "secrets",
    "shareTool",
    "skipped",
    "submit",
    "toolDefinitions",
    "tools",
    "trust",
    "untrust",
    "waitForJob",
    "work",
    "writeTool",
  ]);
});

test("the codes and their phases", () => {
  assert.deepEqual(Object.fromEntries(Object.entries(toolcell.CODES).map(([code, { phase }]) => [code, phase])), {
    UNKNOWN_TOOL: "lookup",
    INVALID_ARGUMENTS: "validate",
    BUSY: "queue",
    QUEUE_TIMEOUT: "queue",
    QUARANTINED: "start",
    START_TIMEOUT: "start",
    LOAD_FAILED: "start",
    TOOL_ERROR: "run",
    TOOL_EXCEPTION: "run",
    CALL_TIMEOUT: "run",
    CPU_LIMIT: "run",
    MEMORY_LIMIT: "run",
    POWER_LIMIT: "run",
    PERMISSION_DENIED: "run",
    CELL_CRASHED: "run",
    CANCELLED: "run",
    BAD_RESULT: "result",
  });
});

test("the messages of the bridge and their numbers", () => {
  assert.deepEqual(TO_CELL, {
    LOAD: 1,
    BUNDLE: 2,
    PREPARE: 3,
    CALL: 4,
    CANCEL: 5,
    PING: 6,
    TIMER: 7,
    REHEARSE: 8,
    ANSWER: 9,
    ANSWER_BYTES: 10,
    UNLOAD: 11,
    END: 12,
  });
  assert.deepEqual(FROM_CELL, {
    READY: 1,
    LOADED: 2,
    PREPARED: 3,
    RESULT: 4,
    FAILURE: 5,
    PROGRESS: 6,
    LOG: 7,
    QUEUED: 8,
    STARTED: 9,
    PONG: 10,
    LIMIT: 11,
    SET_TIMER: 12,
    CLEAR_TIMER: 13,
    POWER: 14,
    POWER_BYTES: 15,
    ALIVE: 16,
    BUSY: 17,
    RESULT_TEXT: 18,
  });
  assert.deepEqual(FAILURE_KINDS, ["arguments", "tool-error", "exception", "result", "load", "denied", "power-limit"]);
  assert.deepEqual(POWERS, ["files", "network", "storage", "secrets", "process", "tools"]);
  assert.deepEqual(LOG_LEVELS, ["debug", "info", "warn", "error"]);
});

test("the codes of errors that an owner is thrown, and the walls", () => {
  assert.deepEqual(Object.keys(toolcell.FAULT_CODES), [
    "UNKNOWN_CAPABILITY",
    "INVALID_PERMISSION",
    "NOT_ASKED",
    "GRANTS_DAMAGED",
    "GRANTS_BUSY",
    "REQUIRED_CAPABILITY",
    "SWITCHES_DAMAGED",
    "SWITCHES_BUSY",
    "NOT_BACKGROUND",
    "JOB_KEY_TAKEN",
    "UNKNOWN_JOB",
    "JOBS_FULL",
    "JOBS_DAMAGED",
    "JOBS_BUSY",
    "TOOL_COLLISION",
    "SHIPPED_BROKEN",
  ]);
  assert.deepEqual(toolcell.WALLS, [
    "process",
    "permission-model",
    "environment",
    "no-core-dumps",
    "memory-watch",
    "no-network",
    "bubblewrap",
    "jitless",
    "data-limit",
  ]);
});

test("the exit codes", () => {
  assert.deepEqual(EXIT, { ok: 0, failed: 1, usage: 2 });
});
