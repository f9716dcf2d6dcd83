import { installWasm } from "./wasm.ts";

const realm = globalThis as Record<string, unknown>;
// Absent where the cell runs without a compiler.
const webAssembly = realm["WebAssembly"];

/**
 * Takes out of the realm what no tool may have: shared memory and its clock (a timer finer than a millisecond), and what
 * only a grant gives: WebAssembly (memory outside the isolate's limit). No other path leads to these constructors.
 */
export function sealRealm(): void {
  for (const name of ["SharedArrayBuffer", "Atomics", "WebAssembly"]) delete realm[name];
}

/** Gives WebAssembly back to a capability that was granted it. Shared memory stays away. */
export function grantWebAssembly(): void {
  if (webAssembly !== undefined) installWasm(globalThis, webAssembly as object);
}
