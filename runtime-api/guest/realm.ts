/**
 * Takes out of the realm what no tool may have: shared memory and its clock (a timer finer than a millisecond),
 * WebAssembly (memory outside the isolate's limit). No other path leads to these constructors.
 */
export function sealRealm(): void {
  const realm = globalThis as Record<string, unknown>;
  for (const name of ["SharedArrayBuffer", "Atomics", "WebAssembly"]) delete realm[name];
}
