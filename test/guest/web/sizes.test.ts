import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { toolFile } from "../../support/capabilities.ts";
import { makeEngine } from "../../support/engines.ts";
import { canSeeProcesses, keeperPids } from "../../support/processes.ts";

const MiB = 1024 * 1024;

const REFUSED = ["done", "RangeError", "TypeError", "NativeError", "PowerError"];
const ENDED = ["MEMORY_LIMIT", "CPU_LIMIT", "POWER_LIMIT"];

// Each asks for far more than its cell may hold: by a number, by a text that is long, or by many of them.
const GREEDY: Readonly<Record<string, string>> = {
  a_text_for_a_url: `new URL("https://x/" + "é".repeat(2 ** 27))`,
  a_domain: `new URL("https://" + "é".repeat(2 ** 26) + ".com")`,
  domains: `{ for (let at = 0; at < 20000; at += 1) try { new URL("https://" + "é".repeat(4000) + at); } catch {} }`,
  parameters: `new URLSearchParams("a&".repeat(2 ** 27))`,
  a_pattern: `new URLPattern({ pathname: "/" + ":a".repeat(2 ** 22) })`,
  base64: `atob(btoa("x".repeat(2 ** 28)))`,
  encoding: `new TextEncoder().encode("x".repeat(2 ** 28))`,
  decoding: `new TextDecoder("shift_jis").decode(new Uint8Array(2 ** 28))`,
  a_blob: `new Blob(Array(4096).fill("x".repeat(2 ** 20)))`,
  blobs: `{ const blob = new Blob(["x".repeat(2 ** 20)]); new Blob(Array(4096).fill(blob)); }`,
  a_clone: `{ let value = new Uint8Array(2 ** 24); for (;;) value = structuredClone([value, value.slice()]); }`,
  a_form: `{ const form = new FormData(); for (;;) form.append("a", "x".repeat(2 ** 20) + form.getAll("a").length); }`,
  headers: `{ const headers = new Headers(); for (let at = 0; ; at += 1) headers.append("a" + at, "x".repeat(2 ** 20) + at); }`,
  a_queue: `{ let controller; new ReadableStream({ start(given) { controller = given; } }); for (;;) controller.enqueue(new Uint8Array(2 ** 20).fill(1)); }`,
  chunks: `await new ReadableStream({ type: "bytes", autoAllocateChunkSize: 2 ** 32, pull() {} }).getReader().read()`,
  a_body: `await new Response(new ReadableStream({ pull(controller) { controller.enqueue(new Uint8Array(2 ** 22)); } })).text()`,
  a_request: `await fetch("https://x/", { method: "POST", body: "x".repeat(2 ** 28) })`,
  compressed: `await new Response(new ReadableStream({ pull(controller) { controller.enqueue(crypto.getRandomValues(new Uint8Array(65536))); } }).pipeThrough(new CompressionStream("gzip"))).bytes()`,
  a_bomb: `await (async () => { let bomb = new Uint8Array(2 ** 24); for (let at = 0; at < 2; at += 1) bomb = await new Response(new Blob([bomb]).stream().pipeThrough(new CompressionStream("gzip"))).bytes(); const open = (bytes) => new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"))).bytes(); for (const all = []; ; ) all.push(await open(await open(bomb))); })()`,
  codecs: `{ const all = []; for (let at = 0; at < 5000; at += 1) { const stream = new CompressionStream("gzip"); const writer = stream.writable.getWriter(); writer.write(new Uint8Array(1)).catch(() => undefined); all.push(stream); } await new Promise((resolve) => setTimeout(resolve, 1)); }`,
  listeners: `{ const target = new EventTarget(); for (let at = 0; ; at += 1) target.addEventListener("a" + "x".repeat(2 ** 20) + at, () => at); }`,
  a_log_line: `console.log("%s".repeat(10), "x".repeat(2 ** 28), ["y".repeat(2 ** 28)])`,
  timers: `{ for (let at = 0; at < 1e6; at += 1) setTimeout(() => undefined, 1e6, "x".repeat(2 ** 16)); }`,
};

if (canSeeProcesses) {
  test("what a guest asks for by size stays within its cell", async (context) => {
    const files = Object.entries(GREEDY).map(([name, act]) => [`web/${name}.js`, toolFile(name, runOf(act))]);
    const limits = { memoryBytes: 32 * MiB, residentBytes: 64 * MiB, spareCount: 0, cpuMs: 4000, callMs: 15_000 };
    await using made = await makeEngine(Object.fromEntries(files) as Record<string, string>, { limits });
    for (const name of Object.keys(GREEDY)) {
      await context.test(name, async () => {
        let peak = 0;
        const watch = setInterval(() => {
          for (const pid of keeperPids()) peak = Math.max(peak, residentBytes(pid));
        }, 10);
        const { error, text } = await made.engine.call(name, {});
        clearInterval(watch);
        // It is refused, it ends with its cell, or it is done in little: never does the machine give what it asked for.
        assert.ok((error === null ? REFUSED : ENDED).includes(error?.code ?? text), `${error?.code ?? ""} ${text}`);
        assert.ok(peak < 450 * MiB, `${Math.round(peak / MiB)} MiB`);
      });
    }
  });
}

function runOf(act: string): string {
  return `async function run() { try { ${act.startsWith("{") ? act : `${act};`} } catch (error) { return error.name; } return "done"; }`;
}

function residentBytes(pid: number): number {
  try {
    return Number(/VmRSS:\s+(\d+) kB/u.exec(readFileSync(`/proc/${pid}/status`, "latin1"))?.[1] ?? 0) * 1024;
  } catch {
    return 0;
  }
}
