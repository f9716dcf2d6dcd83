export const NAME = "grow_memory";
export const DESCRIPTION = "Fills a Map until V8 gives the whole process up.";

// Ordinary code, and no error to catch: where a Map cannot grow any more, V8 aborts the process that it is in.
export function run(): never {
  const index = new Map<object, string>();
  for (let line = 0; ; line += 1) index.set({ line }, `line ${line}`);
}
