import { mkdirSync, symlinkSync } from "node:fs";
import path from "node:path";
import { createEngine, type Engine, type EngineOptions, type LogEntry } from "toolcell";
import { makeTempFolder, writeFiles, type Files } from "./capabilities.ts";

export interface TestEngine extends AsyncDisposable {
  readonly engine: Engine;
  /** Where its capability folders stand; what is written here is there after a `refresh()`. */
  readonly folder: string;
  readonly home: string;
  /** Every line of the owner's log so far. */
  readonly log: readonly LogEntry[];
}

// Reading the shipped capabilities takes a second, which the engines of one process spend once.
const cache = makeTempFolder();
process.once("exit", () => cache[Symbol.dispose]());

/** An engine over capabilities written from `files` (`demo/shout.js`), with a home of its own. */
export async function makeEngine(files: Files = {}, options: EngineOptions = {}): Promise<TestEngine> {
  const temp = makeTempFolder();
  const [home, folder] = [path.join(temp.path, "home"), path.join(temp.path, "capabilities")];
  mkdirSync(home);
  symlinkSync(cache.path, path.join(home, "cache"));
  writeFiles(folder, { ".keep": "", ...files });
  const log: LogEntry[] = [];
  try {
    const engine = await createEngine({ home, capabilities: [folder], log: (entry) => log.push(entry), ...options });
    const close = async (): Promise<void> => {
      await engine.close();
      temp[Symbol.dispose]();
    };
    return { engine, folder, home, log, [Symbol.asyncDispose]: close };
  } catch (error) {
    temp[Symbol.dispose]();
    throw error;
  }
}
