import { spawn, type ChildProcess } from "node:child_process";
import { text } from "node:stream/consumers";

const CLI_FILE = new URL("../../dist/cli.js", import.meta.url).pathname;

export interface CommandOptions {
  readonly input?: string;
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** The Node that runs it. Default: the one that runs the tests. */
  readonly node?: string;
}

export interface CommandEnd {
  readonly code: number | null;
  readonly signal: string | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs `toolcell` to its end. */
export async function runCommand(args: readonly string[], options: CommandOptions = {}): Promise<CommandEnd> {
  return await startCommand(args, options).end;
}

/** Starts `toolcell`; `end` resolves when it has ended and both its outputs are read. */
export function startCommand(
  args: readonly string[],
  { input = "", cwd, env = {}, node = process.execPath }: CommandOptions = {},
): { readonly child: ChildProcess; readonly end: Promise<CommandEnd> } {
  const child = spawn(node, [CLI_FILE, ...args], {
    stdio: ["pipe", "pipe", "pipe"],
    env: { ...process.env, ...env },
    ...(cwd === undefined ? {} : { cwd }),
  });
  // A command that never reads its stdin may be gone before this is written.
  child.stdin.on("error", () => undefined);
  child.stdin.end(input);
  const closed = new Promise<[number | null, string | null]>((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code, signal) => resolve([code, signal]));
  });
  const end = Promise.all([closed, text(child.stdout), text(child.stderr)]).then(([[code, signal], stdout, stderr]) => {
    return { code, signal, stdout, stderr };
  });
  return { child, end };
}
