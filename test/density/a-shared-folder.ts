import { mkdirSync } from "node:fs";
import path from "node:path";
import type { EngineOptions } from "toolcell";
import { makeTempFolder, toolFile, writeFiles, type Files } from "../support/capabilities.ts";
import { makeEngine, type TestEngine } from "../support/engines.ts";

export interface SharedEngine extends TestEngine {
  /** A second folder of capabilities, which share no process with those of `folder`. */
  readonly otherFolder: string;
}

/** An engine over `files`, whose capabilities may share processes; `others` stand in a folder of their own. No spare stands beside. */
export async function makeSharing(
  files: Files,
  { limits = {}, ...options }: EngineOptions = {},
  others: { readonly files: Files; readonly mayShare: boolean } = { files: {}, mayShare: false },
): Promise<SharedEngine> {
  const temp = makeTempFolder();
  const [folder, otherFolder] = [path.join(temp.path, "ours"), path.join(temp.path, "theirs")];
  for (const each of [folder, otherFolder]) mkdirSync(each);
  writeFiles(folder, files);
  writeFiles(otherFolder, others.files);
  const made = await makeEngine(
    {},
    {
      capabilities: [folder, otherFolder],
      shareProcess: others.mayShare ? [folder, otherFolder] : [folder],
      limits: { spareCount: 0, ...limits },
      ...options,
    },
  );
  const close = async (): Promise<void> => {
    await made[Symbol.asyncDispose]();
    temp[Symbol.dispose]();
  };
  return { engine: made.engine, home: made.home, log: made.log, folder, otherFolder, [Symbol.asyncDispose]: close };
}

/** A capability of a tool that tells how often it was called since its cell began. */
export function counter(capability: string): Files {
  return { [`${capability}/count.js`]: toolFile(`count_${capability}`, "const run = () => (calls += 1);", { code: "let calls = 0;" }) };
}

/** A tool that has begun once it reports progress, and then waits for ever for what it awaits. */
export const WAIT = `const run = (context) => new Promise(() => { context.progress(null, "begun"); });`;
