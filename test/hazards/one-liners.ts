import type { Code } from "../../src/catalogue/codes.ts";

/** A hostile or unlucky tool: the body of its `run`, and the codes that are right ends of it. `ok` means that it may return. */
export interface OneLiner {
  readonly name: string;
  readonly body: string;
  readonly ends: readonly (Code | "ok")[];
}

const TIME = ["CALL_TIMEOUT"] as const;
const MEMORY = ["MEMORY_LIMIT"] as const;
// Whether V8 throws, gives up or is stopped first is V8's to choose; each is a clean end.
const MEMORY_OR_ERROR = ["MEMORY_LIMIT", "TOOL_EXCEPTION"] as const;
const MEMORY_OR_TIME = ["MEMORY_LIMIT", "CALL_TIMEOUT", "TOOL_EXCEPTION"] as const;
const RESULT = ["BAD_RESULT"] as const;

export const ONE_LINERS: readonly OneLiner[] = [
  { name: "loop_forever", body: "while (true) {}", ends: TIME },
  { name: "microtask_flood", body: "for (;;) await 0;", ends: TIME },
  { name: "never_settles", body: "await new Promise(() => {});", ends: TIME },
  { name: "loop_in_finally", body: "try { throw 1 } finally { for (;;); }", ends: TIME },
  { name: "loop_after_timer", body: "await new Promise((r) => setTimeout(r, 10)); for (;;);", ends: TIME },
  { name: "then_flood", body: "const f = () => Promise.resolve().then(f).then(f); await f();", ends: MEMORY_OR_TIME },
  { name: "array_fill", body: "return Array(1e9).fill(0).length;", ends: MEMORY_OR_TIME },
  { name: "array_grows", body: "const a = []; for (;;) a.push({ a });", ends: MEMORY },
  { name: "map_grows", body: "const m = new Map(); for (let i = 0; ; i++) m.set({ i }, 'v' + i);", ends: MEMORY_OR_ERROR },
  { name: "set_grows", body: "const s = new Set(); for (let i = 0; ; i++) s.add(i + 0.5);", ends: MEMORY_OR_ERROR },
  {
    name: "benign_index",
    body: "const m = new Map(); for (let i = 0; i < 2e6; i++) m.set('line' + i, { n: i }); return m.size;",
    ends: MEMORY,
  },
  { name: "dictionary_grows", body: "const o = {}; for (let i = 0; ; i++) o['k' + i] = i;", ends: MEMORY_OR_TIME },
  { name: "weak_refs", body: "const k = []; for (;;) k.push(new WeakRef({}));", ends: MEMORY },
  { name: "closures", body: "let f = () => 0; for (;;) { const g = f; f = () => g; }", ends: MEMORY },
  { name: "string_repeat", body: "return 'x'.repeat(2 ** 29 - 24);", ends: ["BAD_RESULT", "MEMORY_LIMIT", "TOOL_EXCEPTION"] },
  {
    name: "string_flattened",
    body: "const s = 'x\\u1234'.repeat(2 ** 27); return s.charCodeAt(5);",
    ends: ["MEMORY_LIMIT", "TOOL_EXCEPTION", "ok"],
  },
  { name: "string_doubles", body: "let s = 'x'; for (;;) s += s;", ends: MEMORY_OR_ERROR },
  { name: "string_split", body: "return '.'.repeat(2 ** 28).split('').length;", ends: MEMORY },
  { name: "string_spread", body: "return [...'.'.repeat(5e8)].length;", ends: MEMORY_OR_ERROR },
  { name: "json_parse_90mb", body: "return JSON.parse('[' + '1,'.repeat(45e6) + '1]').length;", ends: MEMORY_OR_TIME },
  { name: "json_parse_deep", body: "JSON.parse('['.repeat(2e6)); return 1;", ends: MEMORY_OR_ERROR },
  { name: "bigint_text", body: "return (2n ** (2n ** 27n)).toString().length;", ends: ["CALL_TIMEOUT", "TOOL_EXCEPTION", "MEMORY_LIMIT"] },
  { name: "bigint_result", body: "return 1n << (2n ** 28n);", ends: ["BAD_RESULT", "MEMORY_LIMIT", "TOOL_EXCEPTION"] },
  { name: "sparse_index_of", body: "return Array.prototype.indexOf.call({ length: 2 ** 53 - 1 }, 1);", ends: TIME },
  { name: "sparse_reverse", body: "return Array.prototype.reverse.call({ length: 2 ** 53 - 1 });", ends: MEMORY_OR_TIME },
  { name: "sort_huge", body: "return [].sort.call({ length: 2 ** 53 - 1 });", ends: MEMORY_OR_TIME },
  { name: "regex_backtracks", body: "return /(a+)+$/.test('a'.repeat(40) + 'b');", ends: TIME },
  { name: "deep_recursion", body: "const f = (n) => f(n + 1) + 1; return f(0);", ends: ["TOOL_EXCEPTION"] },
  { name: "nested_result", body: "let a = []; for (let i = 0; i < 1e5; i++) a = [a]; return a;", ends: RESULT },
  { name: "cyclic_result", body: "const a = {}; a.a = a; return a;", ends: RESULT },
  { name: "alias_result", body: "const s = 'x'.repeat(2 ** 23) + 'y'; return new Array(300).fill(s);", ends: RESULT },
  { name: "dag_result", body: "let a = { x: 1 }; for (let i = 0; i < 40; i++) a = { l: a, r: a }; return a;", ends: RESULT },
  { name: "sparse_result", body: "const a = []; a.length = 2 ** 32 - 1; return a;", ends: RESULT },
  { name: "huge_text", body: "return { text: 'é'.repeat(1e8) };", ends: ["BAD_RESULT", "MEMORY_LIMIT", "TOOL_EXCEPTION"] },
  { name: "function_result", body: "return { deep: [{ f() {} }] };", ends: RESULT },
  { name: "symbol_result", body: "return Symbol('x');", ends: RESULT },
  { name: "float16_result", body: "return new Float16Array(4);", ends: ["ok"] },
  { name: "typed_arrays", body: "const k = []; for (;;) k.push(new Uint8Array(2 ** 28).fill(1));", ends: MEMORY_OR_ERROR },
  {
    name: "resizable_buffer",
    body: "const b = new ArrayBuffer(0, { maxByteLength: 8 * 2 ** 30 }); for (let n = 2 ** 24; ; n += 2 ** 24) { b.resize(n); new Uint8Array(b).fill(1, n - 2 ** 24); }",
    ends: MEMORY_OR_ERROR,
  },
  {
    name: "icu_objects",
    body: "const k = []; for (;;) k.push(new Intl.DateTimeFormat('de', { timeZone: 'Europe/Vienna' }));",
    ends: MEMORY_OR_TIME,
  },
  {
    name: "progress_flood",
    body: "for (let i = 0; i < 200000; i++) context.progress(i / 200000, 'x'.repeat(1000)); return 'done';",
    ends: ["ok"],
  },
  { name: "console_flood", body: "const s = 'x'.repeat(1e6); for (let i = 0; i < 1000; i++) console.log(s); return 'done';", ends: ["ok"] },
  { name: "timer_flood", body: "for (let i = 0; i < 1e6; i++) setTimeout(() => {}, 1); return 'done';", ends: ["TOOL_EXCEPTION"] },
  { name: "reach_process", body: "return constructor.constructor('return process')().pid;", ends: ["TOOL_EXCEPTION"] },
  {
    name: "reach_process_by_error",
    body: "try { null.x } catch (e) { return String(e.constructor.constructor('return typeof process + typeof require + typeof ivm')()); }",
    ends: ["ok"],
  },
  { name: "getter_result", body: "return { get text() { for (;;); } };", ends: TIME },
  { name: "throwing_getter_result", body: "return { get a() { throw new Error('no'); } };", ends: RESULT },
  { name: "proxy_result", body: "return new Proxy({}, { get() { for (;;); } });", ends: TIME },
  { name: "proxy_keys_result", body: "return new Proxy({}, { ownKeys() { for (;;); } });", ends: TIME },
  {
    name: "revoked_proxy_result",
    body: "const { proxy, revoke } = Proxy.revocable({}, {}); revoke(); return proxy;",
    ends: [...RESULT, "TOOL_EXCEPTION"],
  },
  { name: "to_json_loops", body: "return { toJSON() { for (;;); } };", ends: TIME },
  { name: "thenable_never", body: "return { then() {} };", ends: TIME },
  { name: "thenable_recursive", body: "const t = { then(r) { r(t); } }; return t;", ends: TIME },
  {
    name: "error_getters_throw",
    body: "const e = new Error('x'); Object.defineProperty(e, 'message', { get() { throw 1; } }); Object.defineProperty(e, 'stack', { get() { throw 2; } }); throw e;",
    ends: ["TOOL_EXCEPTION"],
  },
  { name: "error_getter_loops", body: "throw Object.defineProperty(new Error('x'), 'message', { get() { for (;;); } });", ends: TIME },
  { name: "thrown_proxy_loops", body: "throw new Proxy({}, { get() { for (;;); } });", ends: TIME },
  {
    name: "stray_proxy_loops",
    body: "Promise.reject(new Proxy({}, { get() { for (;;); } })); await new Promise(() => {});",
    ends: ["CALL_TIMEOUT", "CPU_LIMIT"],
  },
  { name: "error_of_100mb", body: "throw new Error('x'.repeat(1e8));", ends: MEMORY_OR_ERROR },
  { name: "throws_undefined", body: "throw undefined;", ends: ["TOOL_EXCEPTION"] },
  { name: "throws_symbol", body: "throw Symbol('s');", ends: ["TOOL_EXCEPTION"] },
  {
    name: "throws_revoked_proxy",
    body: "const { proxy, revoke } = Proxy.revocable({}, {}); revoke(); throw proxy;",
    ends: ["TOOL_EXCEPTION"],
  },
  {
    name: "throws_aggregate",
    body: "throw new AggregateError(Array.from({ length: 1e5 }, () => new Error('e')), 'many');",
    ends: MEMORY_OR_ERROR,
  },
  { name: "atomics_wait", body: "Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);", ends: ["TOOL_EXCEPTION"] },
  { name: "wasm_memory", body: "return new WebAssembly.Memory({ initial: 40000 });", ends: ["TOOL_EXCEPTION"] },
  { name: "dynamic_import", body: "return await import(['f', 's'].join(''));", ends: ["TOOL_EXCEPTION"] },
  {
    name: "poisoned_prototypes",
    body: "Array.prototype.push = Object.prototype.toJSON = JSON.stringify = Promise.prototype.then = () => { throw 1; }; Object.defineProperty(Array.prototype, 0, { set() { throw 2; } }); return { text: 'fine', payload: [1] };",
    ends: ["ok", ...RESULT],
  },
  { name: "unhandled_rejections", body: "for (let i = 0; i < 1e5; i++) Promise.reject(new Error('stray')); return 'done';", ends: ["ok"] },
];
