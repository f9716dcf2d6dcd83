import { NODE } from "../../src/catalogue/texts.ts";

/** Nothing is loaded at run time: what a package needs is in its bundle. */
function createRequire() {
  return Object.assign(refuse, { resolve: refuse, cache: {}, extensions: {}, main: undefined });
}

function refuse(name: unknown): never {
  throw Object.assign(new Error(NODE.requireLater(String(name).slice(0, 200))), { code: "MODULE_NOT_FOUND" });
}

export const shim = Object.assign(() => undefined, {
  createRequire,
  builtinModules: [] as string[],
  isBuiltin: () => false,
  findSourceMap: () => undefined,
  syncBuiltinESMExports: () => undefined,
});
