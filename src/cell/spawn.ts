import { spawn, type ChildProcess } from "node:child_process";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";

/** What a keeper is started with. */
export interface KeeperOptions {
  /** The keeper's own file. */
  readonly keeperFile: string;
  readonly addonFile: string;
  readonly memoryBytes: number;
  readonly cpuMs: number;
  readonly residentBytes: number;
  readonly bodyBytes: number;
  readonly frameBytes: number;
  readonly graceMs: number;
  readonly watchMs: number;
  readonly heapBytes: number;
}

const MiB = 1024 * 1024;
export const KEEPER_FILE = fileURLToPath(new URL("../keeper.js", import.meta.url));
const RUNTIME_FILE = fileURLToPath(new URL("../guest.js", import.meta.url));

/**
 * Starts a keeper's process: Node's permission model on, reading nothing but its own two files and the addon, an
 * environment of two words, no core dump, first in line for the system's out-of-memory killer, two pipes of its own.
 */
export function spawnKeeper({ keeperFile, addonFile, heapBytes, ...setup }: KeeperOptions): ChildProcess {
  const node = [
    "--permission",
    "--allow-addons",
    ...[keeperFile, RUNTIME_FILE, dirname(addonFile)].map((path) => `--allow-fs-read=${path}`),
    `--max-old-space-size=${Math.round(heapBytes / MiB)}`,
    "--disable-sigusr1",
    "--no-warnings",
    keeperFile,
    addonFile,
    RUNTIME_FILE,
    JSON.stringify(setup),
  ];
  const [command, args] = withoutCoreDumps(process.execPath, node);
  return spawn(command, args, {
    stdio: ["ignore", "ignore", "pipe", "pipe", "pipe"],
    env: environment(),
    cwd: dirname(keeperFile),
    windowsHide: true,
  });
}

// Nothing of the host's environment: a time zone, so that a guest's clock tells nothing of the machine's.
function environment(): Record<string, string> {
  const { SystemRoot } = process.env;
  return SystemRoot === undefined ? { TZ: "UTC", LANG: "en_US.UTF-8" } : { TZ: "UTC", SystemRoot };
}

// Node sets no resource limits, a shell does; the shell's text is constant and every path is an argument of its own.
function withoutCoreDumps(command: string, args: readonly string[]): [string, string[]] {
  if (process.platform === "win32") return [command, [...args]];
  const script = 'ulimit -c 0; { echo 900 >/proc/self/oom_score_adj; } 2>/dev/null; exec "$0" "$@"';
  return ["/bin/sh", ["-c", script, command, ...args]];
}
