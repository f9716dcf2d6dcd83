import { isBuiltin } from "node:module";

/** Node's modules that a sealed tool has. Each is a file of `runtime-api/node`, with "-" where the name has "/". */
export const PROVIDED: readonly string[] = [
  "assert assert/strict async_hooks buffer console constants crypto diagnostics_channel events fs fs/promises module os",
  "path path/posix path/win32 perf_hooks process punycode querystring stream stream/consumers stream/promises stream/web",
  "string_decoder sys timers timers/promises tty url util util/types zlib",
].flatMap((names) => names.split(" "));

/** What to do instead of the ones that it cannot have. */
const REMEDIES: ReadonlyMap<string, string> = new Map(
  Object.entries({
    "use `fetch`, with a `network` permission": "net tls http https http2 dgram dns dns/promises quic",
    "run a program with `context.process`, with a `process` permission": "child_process",
    "a tool has one thread: do the work in `run`": "worker_threads cluster",
    "a tool is sealed already: call the code itself": "vm repl inspector inspector/promises",
    "`import` the .wasm file, with the permission `wasm`": "wasi",
    "keep values with `context.storage`, with a `storage` permission": "sqlite",
  }).flatMap(([remedy, names]) => names.split(" ").map((name) => [name, remedy])),
);

/** Packages whose one purpose is to load machine code. */
const NATIVE_LOADERS = new Set(["bindings", "node-gyp-build", "node-gyp-build-optional-packages", "@mapbox/node-pre-gyp", "node-pre-gyp"]);

/** The builtin that a specifier means, as Node decides: `node:` always means one, a trailing "/" never does. */
export function builtinOf(specifier: string): string | null {
  if (specifier.startsWith("node:")) return specifier.slice("node:".length);
  return isBuiltin(specifier) ? specifier : null;
}

export function isProvided(builtin: string): boolean {
  return PROVIDED.includes(builtin);
}

export function remedyFor(builtin: string): string {
  return REMEDIES.get(builtin) ?? "leave it out";
}

export function isNativeLoader(specifier: string): boolean {
  return NATIVE_LOADERS.has(specifier);
}
