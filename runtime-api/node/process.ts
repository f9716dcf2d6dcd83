import { realm } from "./internal/realm.ts";
import { toolcell } from "./internal/toolcell.ts";
import { NODE } from "../../src/catalogue/texts.ts";

const { host } = toolcell();
const started = Date.now();
const version = `v${host.node}.0.0`;

/** What looks like Node's `process` and can do nothing: no environment, no arguments, no other process, no way out. */
export const shim = {
  title: "toolcell",
  version,
  versions: { node: version.slice(1), v8: "0.0.0", modules: "0" },
  // Every path in here is a POSIX path, whatever the machine's own look like.
  platform: host.os === "win32" ? "linux" : host.os,
  arch: host.arch,
  release: { name: "node" },
  features: {},
  config: { target_defaults: {}, variables: {} },
  env: {} as Record<string, string>,
  argv: ["node", "/capability/index.js"],
  argv0: "node",
  execArgv: [],
  execPath: "/usr/bin/node",
  exitCode: undefined,
  pid: 1,
  ppid: 0,
  stdin: { fd: 0, isTTY: false, ...listeners(), setEncoding: itself, resume: itself, pause: itself, read: () => null },
  stdout: { fd: 1, ...writer("info") },
  stderr: { fd: 2, ...writer("error") },
  ...listeners(),
  cwd: () => "/workspace",
  chdir: () => refuse("chdir"),
  exit: () => refuse("exit"),
  abort: () => refuse("abort"),
  kill: () => refuse("kill"),
  dlopen: () => refuse("dlopen"),
  binding: () => refuse("binding"),
  umask: () => 0o22,
  uptime: () => (Date.now() - started) / 1000,
  hrtime: Object.assign(hrtime, { bigint: () => BigInt(Date.now()) * 1_000_000n }),
  memoryUsage: Object.assign(() => ({ rss: 0, heapTotal: 0, heapUsed: 0, external: 0, arrayBuffers: 0 }), { rss: () => 0 }),
  cpuUsage: () => ({ user: 0, system: 0 }),
  resourceUsage: () => ({}),
  nextTick: (callback: (...args: unknown[]) => void, ...args: unknown[]) => realm.queueMicrotask(() => callback(...args)),
  emitWarning: (warning: unknown) => realm.console.warn(warning),
  getBuiltinModule: () => undefined,
};

function refuse(name: string): never {
  throw new Error(NODE.processFunction(name));
}

/** Nothing ever happens to this process: who listens hears nothing. */
function listeners() {
  return {
    on: itself,
    once: itself,
    off: itself,
    addListener: itself,
    prependListener: itself,
    prependOnceListener: itself,
    removeListener: itself,
    removeAllListeners: itself,
    setMaxListeners: itself,
    getMaxListeners: () => 10,
    listeners: () => [],
    listenerCount: () => 0,
    emit: () => false,
  };
}

/** Goes to the log of the call, line by line; a line without an end is one all the same. */
function writer(level: "info" | "error") {
  return {
    isTTY: false,
    writable: true,
    write(chunk: unknown, encoding?: unknown, done?: unknown): boolean {
      const text = typeof chunk === "string" ? chunk : new realm.TextDecoder().decode(chunk as Uint8Array);
      if (text !== "") realm.console[level](text.endsWith("\n") ? text.slice(0, -1) : text);
      const callback = typeof encoding === "function" ? encoding : done;
      if (typeof callback === "function") realm.queueMicrotask(() => void Reflect.apply(callback, undefined, []));
      return true;
    },
    end: itself,
    cork: itself,
    uncork: itself,
    hasColors: () => false,
    getColorDepth: () => 1,
    ...listeners(),
  };
}

function itself<T>(this: T): T {
  return this;
}

/** Whole milliseconds: there is no finer clock in here. */
function hrtime(since?: readonly [number, number]): [number, number] {
  const now = Date.now();
  const seconds = Math.floor(now / 1000) - (since?.[0] ?? 0);
  const nanoseconds = (now % 1000) * 1e6 - (since?.[1] ?? 0);
  return nanoseconds < 0 ? [seconds - 1, nanoseconds + 1e9] : [seconds, nanoseconds];
}
