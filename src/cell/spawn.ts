import { spawn, type ChildProcess } from "node:child_process";
import { dirname } from "node:path";
import { builtPath } from "../built/built.ts";
import { withoutInherited } from "./inherited.ts";
import { leashed } from "./leash.ts";
import { filesInside, wrapped, type Wrapper } from "./wrapper.ts";

/** What stands around a keeper's Node, and which of its own walls it is started with. */
export interface Seal {
  readonly wrapper: Wrapper | null;
  /** What has the system kill a keeper with its host, or null; bubblewrap does that itself. */
  readonly leash: string | null;
  /** No machine code made at run time, and no WebAssembly. */
  readonly isJitless: boolean;
  /** The most that the process may map for writing, held to by the system; null for no such limit. Needs `isJitless`. */
  readonly dataBytes: number | null;
}

/** What a keeper is started with. */
export interface KeeperOptions {
  readonly seal: Seal;
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
  /** How many cells it is to hold, each on two more pipes; 0 for one, on the first two. */
  readonly placeCount: number;
}

const [KiB, MiB] = [1024, 1024 * 1024];
export const KEEPER_FILE = builtPath("keeper.cjs");
const RUNTIME_FILE = builtPath("guest.bin");

/**
 * Starts a keeper's process: Node's permission model on, reading nothing but its own two files and the addon, an
 * environment of two words, no core dump, no descriptor but its own, first in line for the system's out-of-memory killer,
 * two pipes of its own and the mark of what it has begun, and around it whatever the seal says.
 */
export function spawnKeeper({ seal, keeperFile, addonFile, heapBytes, ...setup }: KeeperOptions, markFd: number | null): ChildProcess {
  const outside = { node: process.execPath, keeper: keeperFile, runtime: RUNTIME_FILE, addon: addonFile };
  const files = filesInside(seal.wrapper, outside);
  const node = [
    files.node,
    "--permission",
    "--allow-addons",
    ...[files.keeper, files.runtime, files.addon].map((path) => `--allow-fs-read=${path}`),
    `--max-old-space-size=${Math.round(heapBytes / MiB)}`,
    ...(seal.isJitless ? ["--jitless"] : []),
    "--disable-sigusr1",
    "--no-warnings",
    files.keeper,
    files.addon,
    files.runtime,
    JSON.stringify({ ...setup, isLeashed: isLeashed(seal), hasMark: markFd !== null }),
  ];
  // Inside of what makes namespaces: entering one takes it off again.
  const [command = "", ...args] = limited(
    seal,
    wrapped(seal.wrapper, outside, endsWithHost(seal.wrapper) ? node : leashed(seal.leash, node)),
  );
  return spawn(command, args, {
    stdio: withoutInherited([
      ...(["ignore", "ignore", "pipe", "pipe", "pipe"] as const),
      ...Array<"pipe">(2 * setup.placeCount).fill("pipe"),
      ...(markFd === null ? [] : [markFd]),
    ]),
    env: environment(),
    cwd: process.platform === "win32" ? dirname(keeperFile) : "/",
    // A process group of its own, to be killed as one.
    detached: process.platform !== "win32",
    windowsHide: true,
  });
}

/** Whether the system ends the keeper with its host, whatever the guest does. */
export function isLeashed(seal: Seal): boolean {
  return endsWithHost(seal.wrapper) || seal.leash !== null;
}

/** Whether a wrapper itself ends what it wraps with its host. */
export function endsWithHost(wrapper: Wrapper | null): boolean {
  return wrapper?.kind === "bubblewrap";
}

// Nothing of the host's environment: a time zone, so that a guest's clock tells nothing of the machine's.
function environment(): Record<string, string> {
  const { SystemRoot } = process.env;
  return SystemRoot === undefined ? { TZ: "UTC", LANG: "en_US.UTF-8" } : { TZ: "UTC", SystemRoot };
}

// Node sets no resource limits, a shell does; the shell's text is constant and every path is an argument of its own.
function limited({ dataBytes }: Seal, command: readonly string[]): readonly string[] {
  if (process.platform === "win32") return command;
  const dataLimit = dataBytes === null ? "unlimited" : String(Math.round(dataBytes / KiB));
  return ["/bin/sh", "-c", SHELL_TEXT, dataLimit, ...command];
}

// A data limit that cannot be set ends it here. The one file that it may write to holds a number. A shell adds words of its own
// to an environment.
const SHELL_TEXT = `ulimit -c 0
ulimit -f 1
if [ "$0" != unlimited ]; then ulimit -d "$0" || exit 70; fi
{ echo 900 >/proc/self/oom_score_adj; } 2>/dev/null
unset PWD OLDPWD SHLVL _
exec "$@"`;
