import path from "node:path";
import { after } from "node:test";
import { makeTempFolder, writeFiles, type Files } from "../support/capabilities.ts";
import { runCommand, startCommand, type CommandEnd, type CommandOptions } from "../support/command.ts";

export interface CommandHome {
  readonly root: string;
  /** Runs a command there, with a home of its own and the test's capabilities in it. */
  readonly run: (args: readonly string[], options?: CommandOptions) => Promise<CommandEnd>;
  readonly start: (args: readonly string[], options?: CommandOptions) => ReturnType<typeof startCommand>;
}

/** A folder for the commands of one test file, gone when they are done: they share a home, and so what was read once. */
export function makeCommandHome(files: Files): CommandHome {
  const temp = makeTempFolder();
  after(() => temp[Symbol.dispose]());
  const root = temp.path;
  writeFiles(path.join(root, "home", "capabilities"), files);
  const env = { TOOLCELL_HOME: path.join(root, "home"), NO_COLOR: "1" };
  const placed = (options: CommandOptions): CommandOptions => ({ cwd: root, ...options, env: { ...env, ...options.env } });
  return {
    root,
    run: (args, options = {}) => runCommand(args, placed(options)),
    start: (args, options = {}) => startCommand(args, placed(options)),
  };
}
