import { mkdtempSync, rmSync, mkdirSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createEngine } from "toolcell";
import type { HazardCase } from "../case.ts";
import { DEADLINE_MS, MEMORY_BYTES, type Driver } from "../driver.ts";

/** Ours: an engine, the case as a tool of a capability, and a neighbour. */
export async function createCellDriver({ name, body, ends }: HazardCase): Promise<Driver> {
  const folder = mkdtempSync(join(tmpdir(), "toolcell-hazard-"));
  writeTool(folder, name, body);
  writeTool(folder, "warm", "return 'warm';");
  const engine = await createEngine({
    home: join(folder, "home"),
    capabilities: [join(folder, "capabilities")],
    limits: { memoryBytes: MEMORY_BYTES },
    log: () => undefined,
  });
  const run = async (asked: string): Promise<string> => {
    const { ok, error, text } = await engine.call(
      asked === body ? name : "warm",
      {},
      { timeoutMs: DEADLINE_MS, onProgress: () => undefined },
    );
    const end = ok ? "ok" : (error?.code ?? "none");
    // The deadline is a right end of anything: a slow machine may come to it first. The tests hold each case to its own ends.
    const isRight = end === "CALL_TIMEOUT" || ends.some((right) => right === end);
    if (asked === body && !isRight) throw new WrongEnd(`ended as ${end}: ${text}`);
    if (!ok) throw new Error(text);
    return text;
  };
  const close = async (): Promise<void> => {
    await engine.close();
    rmSync(folder, { recursive: true, force: true });
  };
  return { run, close };
}

/** An end that is none of those that the case may have. */
export class WrongEnd extends Error {
  override readonly name = "WrongEnd";
}

function writeTool(folder: string, name: string, body: string): void {
  const home = join(folder, "capabilities", name);
  mkdirSync(home, { recursive: true });
  writeFileSync(
    join(home, "tool.js"),
    `export const NAME = "${name}";\nexport const DESCRIPTION = "A hazard.";\nexport async function run(context) { ${body} }\n`,
  );
}
