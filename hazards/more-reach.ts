import { CANARY, type HazardCase } from "./case.ts";

const THROWN = ["TOOL_EXCEPTION"] as const;
const FLOODED = ["ok", "CALL_TIMEOUT", "MEMORY_LIMIT", "TOOL_EXCEPTION", "CELL_CRASHED"] as const;
const PASSWD = /root:[^:]*:0:/u;
const SECRET = new RegExp(CANARY, "u");
const HOST_PATH = /(?:file:\/\/|[\w.-]+\/)(?:hazards|node_modules|dist)\/|node:internal/u;

/** Results and errors. */
export const VALUES: readonly HazardCase[] = [
  { name: "shared_memory_result", body: "return new Int32Array(new SharedArrayBuffer(8));", ends: [...THROWN, "BAD_RESULT"] },
  {
    name: "wasm_module_result",
    body: "return new WebAssembly.Module(new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0]));",
    ends: [...THROWN, "BAD_RESULT"],
  },
  {
    name: "proto_keys_result",
    body: 'return JSON.parse(\'{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}\');',
    ends: ["ok"],
  },
  {
    name: "error_with_huge_stack",
    body: "const e = new Error('x'); e.stack = 'y'.repeat(2 ** 28); throw e;",
    ends: [...THROWN, "MEMORY_LIMIT"],
  },
  { name: "error_with_endless_cause", body: "const e = new Error('x'); e.cause = e; throw e;", ends: THROWN },
  { name: "error_to_primitive_throws", body: "throw { [Symbol.toPrimitive]() { throw 1; }, toString() { return {}; } };", ends: THROWN },
  {
    name: "error_names_host_paths",
    body: "try { context.progress({ get x() { return 1; }, [Symbol.toPrimitive]() { throw new Error('in'); } }, () => {}); } catch (e) { return String(e && e.stack); } return 'none';",
    ends: ["ok", ...THROWN],
    leak: HOST_PATH,
  },
];

/** What a guest may say to the host while it runs. */
export const BRIDGE: readonly HazardCase[] = [
  { name: "endless_log", body: "for (;;) console.log('x'.repeat(4000));", ends: FLOODED },
  { name: "endless_progress", body: "for (;;) context.progress(0.5, 'x'.repeat(1000));", ends: FLOODED },
  { name: "progress_of_256m_characters", body: "context.progress(0.5, 'x'.repeat(2 ** 28)); return 'said';", ends: FLOODED },
  {
    name: "log_of_a_looping_object",
    body: "console.log({ toString() { for (;;); }, toJSON() { for (;;); } }); return 'said';",
    ends: FLOODED,
  },
  {
    name: "progress_that_makes_no_sense",
    body: "for (const x of [NaN, -1, Infinity, {}, null, [], 'x']) { try { context.progress(x, x); } catch {} } return 'said';",
    ends: ["ok"],
  },
  {
    name: "endless_microtasks_that_log",
    body: "const f = () => { console.log('x'); return Promise.resolve().then(f); }; await f();",
    ends: FLOODED,
  },
];

/** Ways out. */
export const ESCAPE: readonly HazardCase[] = [
  { name: "requires_a_module", body: "return require('node:fs').readFileSync('/etc/passwd', 'utf8');", ends: THROWN, leak: PASSWD },
  {
    name: "imports_a_module",
    body: "return (await import('node:fs')).readFileSync('/etc/passwd', 'utf8');",
    ends: [...THROWN, "LOAD_FAILED"],
    leak: PASSWD,
  },
  // In a cell `process` is a stand-in, bundled for packages that look for it: its environment is empty.
  { name: "reads_the_environment", body: "return JSON.stringify(process.env);", ends: ["ok", ...THROWN], leak: SECRET },
  { name: "ends_the_process", body: "process.exit(7);", ends: THROWN },
  { name: "kills_the_process", body: "process.kill(process.pid, 'SIGKILL');", ends: THROWN },
  {
    name: "through_a_host_function",
    body: "return JSON.stringify(context.progress.constructor('return process.env')());",
    ends: THROWN,
    leak: SECRET,
  },
  {
    name: "through_a_host_object",
    body: "return JSON.stringify(context.constructor.constructor('return process.env')());",
    ends: THROWN,
    leak: SECRET,
  },
  {
    name: "through_the_console",
    body: "return JSON.stringify(console.log.constructor('return process.env')());",
    ends: THROWN,
    leak: SECRET,
  },
  {
    name: "through_this",
    body: "return JSON.stringify(globalThis.constructor.constructor('return process.env')());",
    ends: THROWN,
    leak: SECRET,
  },
  {
    name: "through_an_overflow",
    body: "const f = () => { try { return f(); } catch (e) { return e.constructor.constructor('return process.env')(); } }; return JSON.stringify(f());",
    // Compiling on the last of the stack takes V8 past its end, and the cell with it.
    ends: [...THROWN, "CELL_CRASHED"],
    leak: SECRET,
  },
  {
    name: "through_a_rejection",
    body: "try { await context.progress(Symbol('x'), Symbol('y')); } catch (e) { return JSON.stringify(e.constructor.constructor('return process.env')()); } return 'none';",
    ends: ["ok", ...THROWN],
    leak: SECRET,
  },
  {
    name: "poisons_the_host",
    body: "const p = Object.getPrototypeOf(Object.getPrototypeOf(context.progress)); Object.defineProperty(p, 'polluted', { value: 1, configurable: true }); return 'done';",
    ends: ["ok", ...THROWN],
  },
  {
    name: "looks_for_the_addon",
    body: "return [typeof ivm, typeof $0, typeof $1, Object.keys(globalThis).join()].join(' ');",
    ends: ["ok"],
    leak: /\bobject\b|Reference/u,
  },
  { name: "writes_to_stderr_for_ever", body: "for (;;) process.stderr.write('x'.repeat(65536));", ends: [...THROWN, "CALL_TIMEOUT"] },
];
