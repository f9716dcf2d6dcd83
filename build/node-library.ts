import { existsSync } from "node:fs";
import { join } from "node:path";
import type { OnLoadResult, OnResolveArgs, OnResolveResult, Plugin } from "esbuild";
import { PROVIDED } from "../src/admission/builtins.ts";

const SHIMS = join(import.meta.dirname, "../runtime-api/node");

/** Sources of Node's own library, by name ("path", "internal/validators"): this Node carries them. */
const library = (process as unknown as { binding(name: "natives"): Readonly<Record<string, string>> }).binding("natives");

/**
 * Bundles parts of Node's own library. `nodelib:path` is Node's `path`; what a part of it requires is, in this order, the
 * file that stands in for it in `runtime-api/node/internal`, one of our modules, or another part of the library. Packages
 * that are written for Node find our modules under Node's names.
 */
export function createNodeLibraryPlugin(): Plugin {
  return {
    name: "node-library",
    setup(build) {
      build.onResolve({ filter: /^nodelib:/ }, ({ path }) => toPart(path.slice("nodelib:".length)));
      build.onResolve({ filter: /^primordials:/ }, ({ path }) => ({ path, namespace: "primordials", sideEffects: false }));
      build.onResolve({ filter: /^[^.]/ }, resolveByName);
      build.onLoad({ filter: /.*/, namespace: "nodelib" }, ({ path }) => ({ contents: toBundled(library[path] ?? "") }));
      build.onLoad({ filter: /.*/, namespace: "primordials" }, ({ path }) => ({ contents: toPrimordials(path) }));
      build.onLoad({ filter: /.*/, namespace: "shim" }, ({ path }) => loadShim(path));
    },
  };
}

function toLibrary(name: string): OnResolveResult {
  const standIn = join(SHIMS, "internal", `${name.replace(/^internal\//, "")}.ts`);
  return name.startsWith("internal/") && existsSync(standIn) ? { path: standIn } : toPart(name);
}

function toPart(name: string): OnResolveResult {
  if (library[name] === undefined) return { errors: [{ text: `Node's library has no "${name}"` }] };
  return { path: name, namespace: "nodelib", sideEffects: false };
}

/** By Node's name for it, from its own library or from a package. */
function resolveByName({ path: specifier, namespace, importer }: OnResolveArgs): OnResolveResult | undefined {
  const isLibrary = namespace === "nodelib";
  const name = specifier.replace(/^node:/, "").replace(/\/$/, "");
  // A package of this name is what our own module is made from.
  const isOwn = !isLibrary && !importer.includes("node_modules");
  if (PROVIDED.includes(name) && !isOwn) return { path: name, namespace: "shim" };
  if (isLibrary) return toLibrary(name);
  if (name === "abort-controller") return { path: join(SHIMS, "internal/realm.ts") };
  return undefined;
}

/** One of our modules as `require` gives it. */
function loadShim(name: string): OnLoadResult {
  const file = `./${name.replaceAll("/", "-")}.ts`;
  return { contents: `module.exports = require(${JSON.stringify(file)}).shim;`, resolveDir: SHIMS };
}

/** Node calls each part of its library with `primordials`, `internalBinding` and `process`: here each asks for its own. */
function toBundled(source: string): string {
  const process = /\bprocess\.\w/.test(source) ? 'const process = require("process");\n' : "";
  return (
    process +
    source
      .replaceAll(
        /\bconst (\{[^=]*\}) = primordials;/g,
        (_, names: string) => `const ${names} = require("primordials:${listNames(names)}");`,
      )
      .replaceAll(/\binternalBinding\('(\w+)'\)/g, (_, name: string) => `require("internal/binding/${name}")`)
  );
}

function listNames(destructured: string): string {
  return [...destructured.matchAll(/^\s*(?:\{\s*)?(\w+)(?=[,:\s])/gm)].map(([, name = ""]) => name).join(",");
}

/** The intrinsics of these names, as Node's own start makes them. */
function toPrimordials(specifier: string): string {
  const names = specifier.slice("primordials:".length).split(",");
  const lines = names.map((name) => `  ${name}: ${EXTRAS.get(name) ?? toIntrinsic(name)},\n`);
  return `const uncurryThis = (fn) => (self, ...args) => Reflect.apply(fn, self, args);\nmodule.exports = {\n${lines.join("")}};\n`;
}

const EXTRAS: ReadonlyMap<string, string> = new Map([
  ["ArrayPrototypePushApply", "(list, more) => list.push(...more)"],
  ["ArrayPrototypeUnshiftApply", "(list, more) => list.unshift(...more)"],
  ["SafeFinalizationRegistry", "FinalizationRegistry"],
  ["SafeMap", "Map"],
  ["uncurryThis", "uncurryThis"],
  ["TypedArray", "Object.getPrototypeOf(Uint8Array)"],
  ["TypedArrayPrototype", "Object.getPrototypeOf(Uint8Array.prototype)"],
  ["SafeSet", "Set"],
  ["SafeWeakMap", "WeakMap"],
  ["SafeStringPrototypeSearch", "(text, pattern) => text.search(pattern)"],
  ["SafePromisePrototypeThen", "(promise, ok, bad) => promise.then(ok, bad)"],
  ["SafeStringIterator", "class { constructor(text) { return text[Symbol.iterator](); } }"],
  // Made from text: where a bundle is compiled without async functions, one in its source would be none.
  ["AsyncIteratorPrototype", 'Object.getPrototypeOf(Object.getPrototypeOf(Function("return async function* () {}")()).prototype)'],
  ["hardenRegExp", "(pattern) => pattern"],
]);

/** `ArrayPrototypeJoin`: `Array.prototype.join` with its receiver first. `ObjectKeys`: `Object.keys`. */
function toIntrinsic(name: string): string {
  if (Object.hasOwn(globalThis, name)) return name;
  for (const holder of HOLDERS) {
    if (!name.startsWith(holder)) continue;
    const rest = name.slice(holder.length);
    const Constructor =
      holder === "TypedArray" ? (Object.getPrototypeOf(Uint8Array) as object) : (Reflect.get(globalThis, holder) as object);
    const expression = holder === "TypedArray" ? "Object.getPrototypeOf(Uint8Array)" : holder;
    const own = rest.startsWith("Prototype") ? undefined : findKey(Constructor, rest);
    if (own !== undefined) return holder === "Promise" ? `${holder}${own}.bind(Promise)` : `${expression}${own}`;
    const prototype: unknown = Reflect.get(Constructor, "prototype");
    if (!rest.startsWith("Prototype") || prototype === undefined || prototype === null) continue;
    const part = rest.slice("Prototype".length);
    if (part === "") return `${expression}.prototype`;
    const getter = part.startsWith("Get") ? findKey(prototype, part.slice("Get".length)) : undefined;
    const method = findKey(prototype, part);
    if (method !== undefined) return `uncurryThis(${expression}.prototype${method})`;
    if (getter !== undefined) return `uncurryThis(Object.getOwnPropertyDescriptor(${expression}.prototype, ${toKey(getter)}).get)`;
  }
  throw new Error(`Node's library asks for the intrinsic "${name}", which is not known here`);
}

const HOLDERS = [...Object.getOwnPropertyNames(globalThis), "TypedArray"]
  .filter((name) => /^[A-Z]/.test(name))
  .sort((one, other) => other.length - one.length);

/** How the key is written after its holder: `.join`, or `[Symbol.iterator]` for "SymbolIterator". */
function findKey(holder: object, capitalised: string): string | undefined {
  const isIt = (key: string | symbol): boolean =>
    typeof key === "symbol"
      ? `Symbol${capital((key.description ?? "").slice("Symbol.".length))}` === capitalised
      : capital(key) === capitalised;
  const key = Reflect.ownKeys(holder).find(isIt);
  if (key === undefined) return undefined;
  return typeof key === "symbol" ? `[${key.description}]` : `.${key}`;
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function toKey(written: string): string {
  return written.startsWith("[") ? written.slice(1, -1) : JSON.stringify(written.slice(1));
}
