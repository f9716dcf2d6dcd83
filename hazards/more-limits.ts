import type { HazardCase } from "./case.ts";

const TIME = ["CALL_TIMEOUT"] as const;
const STOPPED = ["MEMORY_LIMIT", "CALL_TIMEOUT", "TOOL_EXCEPTION"] as const;

/** Memory, beside what test/hazards/one-liners.ts tries. */
export const MEMORY: readonly HazardCase[] = [
  { name: "array_from_length", body: "return Array.from({ length: 2 ** 28 }).length;", ends: STOPPED },
  { name: "buffer_of_a_gigabyte", body: "return new ArrayBuffer(2 ** 30).byteLength;", ends: STOPPED },
  {
    name: "growable_shared_buffer",
    body: "const b = new SharedArrayBuffer(0, { maxByteLength: 8 * 2 ** 30 }); for (let n = 2 ** 24; ; n += 2 ** 24) { b.grow(n); new Uint8Array(b).fill(1, n - 2 ** 24); }",
    ends: STOPPED,
  },
  {
    name: "wasm_memory_grows",
    body: "const m = new WebAssembly.Memory({ initial: 1, maximum: 65536 }); for (;;) { m.grow(256); new Uint8Array(m.buffer).fill(1, -(2 ** 24)); }",
    ends: STOPPED,
  },
  {
    name: "wasm_memories",
    body: "const k = []; for (let i = 0; i < 16384; i++) k.push(new WebAssembly.Memory({ initial: 1 })); return k.length;",
    ends: STOPPED,
  },
  { name: "symbols", body: "for (let i = 0; ; i++) Symbol.for('k' + i);", ends: STOPPED },
  {
    name: "group_by",
    body: "return Object.groupBy(Array.from({ length: 2e6 }, (_, i) => i), (x) => 'k' + x);",
    ends: [...STOPPED, "BAD_RESULT"],
  },
  { name: "proxies", body: "let p = {}; for (;;) p = new Proxy(p, {});", ends: STOPPED },
  { name: "bigint_shift", body: "const k = []; for (;;) k.push(1n << (2n ** 29n));", ends: STOPPED },
  {
    name: "full_heap_thrashes",
    body: "const k = []; try { for (;;) k.push(new Array(1000).fill(k.length)); } catch {} k.length -= 10; for (;;) { k.pop(); k.push(new Array(1000).fill(0)); await 0; }",
    ends: STOPPED,
  },
  { name: "to_reversed_huge", body: "return Array.prototype.toReversed.call({ length: 2 ** 32 - 1 }).length;", ends: STOPPED },
];

/** Time. */
export const TIME_CASES: readonly HazardCase[] = [
  { name: "sparse_includes", body: "return Array.prototype.includes.call({ length: 2 ** 53 - 1 }, 1);", ends: TIME },
  { name: "sparse_last_index_of", body: "return Array.prototype.lastIndexOf.call({ length: 2 ** 53 - 1 }, 1);", ends: TIME },
  { name: "sparse_copy_within", body: "return Array.prototype.copyWithin.call({ length: 2 ** 53 - 1 }, 1, 0);", ends: STOPPED },
  { name: "sparse_unshift", body: "return Array.prototype.unshift.call({ length: 2 ** 53 - 2 }, 1);", ends: STOPPED },
  { name: "sparse_fill", body: "return Array.prototype.fill.call({ length: 2 ** 53 - 1 }, 1);", ends: STOPPED },
  { name: "bigint_parse", body: "return BigInt('9'.repeat(2 ** 24)) > 1n;", ends: [...STOPPED, "ok"] },
  {
    name: "stringify_dag",
    body: "let a = { x: 1 }; for (let i = 0; i < 40; i++) a = { l: a, r: a }; return JSON.stringify(a).length;",
    ends: STOPPED,
  },
  { name: "comparator_loops", body: "[2, 1].sort(() => { for (;;); });", ends: TIME },
  { name: "generator_without_end", body: "return Array.from((function* () { for (;;) yield 1; })()).length;", ends: STOPPED },
  {
    name: "loop_in_iterator_return",
    body: "for (const x of { [Symbol.iterator]: () => ({ next: () => ({ value: 1 }), return() { for (;;); } }) }) break;",
    ends: TIME,
  },
  { name: "catches_its_own_end", body: "for (;;) { try { for (;;); } catch {} }", ends: TIME },
  { name: "waits_for_atomics", body: "await Atomics.waitAsync(new Int32Array(new SharedArrayBuffer(4)), 0, 0).value;", ends: STOPPED },
  {
    name: "wasm_loops",
    body: "const c = new Uint8Array([0,97,115,109,1,0,0,0,1,4,1,96,0,0,3,2,1,0,7,5,1,1,102,0,0,10,9,1,7,0,3,64,12,0,11,11]); new WebAssembly.Instance(new WebAssembly.Module(c)).exports.f();",
    ends: STOPPED,
  },
  {
    name: "returns_and_loops_on",
    body: "const go = () => setTimeout(() => { const t = Date.now(); while (Date.now() - t < 50); go(); }, 0); go(); return 'gone';",
    ends: ["ok"],
  },
  { name: "returns_and_floods_on", body: "const f = () => Promise.resolve().then(f); setTimeout(f, 0); return 'gone';", ends: ["ok"] },
];
