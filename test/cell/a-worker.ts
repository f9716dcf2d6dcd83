import type { EngineOptions } from "toolcell";
import { toolFile, type Files } from "../support/capabilities.ts";
import { makeEngine, type TestEngine } from "../support/engines.ts";

export const INDEX = 'export const RUNTIME = "worker";';
export const COUNT = toolFile("count", "const run = () => (calls += 1);", { code: "let calls = 0;" });

/** An engine with one trusted worker, "demo", of these files. */
export async function makeWorker(files: Files, options: EngineOptions = {}): Promise<TestEngine> {
  const named = Object.entries(files).map(([name, source]) => [`demo/${name}`, source] as const);
  const made = await makeEngine({ "demo/index.js": INDEX, ...Object.fromEntries(named) }, options);
  await made.engine.trust("demo");
  return made;
}
