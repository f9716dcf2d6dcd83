import { runInNewContext } from "node:vm";
import { DEADLINE_MS, toText, withinDeadline, type Driver } from "../driver.ts";

/** A context of `node:vm` with a time-out. Node's own documentation calls it no security mechanism, and it is used as one. */
export function createNodeVmDriver(): Driver {
  const run = async (body: string): Promise<string> => {
    const context = { progress: () => undefined };
    const globals = { context, console: { log: () => undefined }, setTimeout, clearTimeout };
    const running = runInNewContext(`(async () => { ${body} })()`, globals, { timeout: DEADLINE_MS }) as Promise<unknown>;
    return toText(await withinDeadline(running, () => undefined));
  };
  return { run, close: () => Promise.resolve() };
}
