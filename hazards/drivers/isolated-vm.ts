import { createRequire } from "node:module";
import type ivm from "isolated-vm";
import { DEADLINE_MS, MEMORY_BYTES, toText, withinDeadline, type Driver } from "../driver.ts";

/** An isolate in the host's own process, as libraries that run a model's code use it: a time-out, a copy of the result, dispose. */
export async function createIsolatedVmDriver(): Promise<Driver> {
  const addon = createRequire(import.meta.url)("isolated-vm") as typeof ivm;
  const isolates: ivm.Isolate[] = [];
  const run = async (body: string): Promise<string> => {
    const isolate = new addon.Isolate({ memoryLimit: MEMORY_BYTES / 2 ** 20 });
    isolates.push(isolate);
    const context = await isolate.createContext();
    const code = `return (async () => { const context = { progress: $0 }; const console = { log: $1 }; ${body} })()`;
    const callbacks = [new addon.Callback(() => undefined), new addon.Callback(() => undefined)];
    const running = context.evalClosure(code, callbacks, { timeout: DEADLINE_MS, result: { promise: true, copy: true } });
    return toText(await withinDeadline(running as Promise<unknown>, () => dispose(isolate)));
  };
  return { run, close: () => Promise.resolve(isolates.forEach(dispose)) };
}

function dispose(isolate: ivm.Isolate): void {
  if (!isolate.isDisposed) isolate.dispose();
}
