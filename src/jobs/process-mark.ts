import { readFileSync, readlinkSync } from "node:fs";
import { hostname } from "node:os";
import { isJsonObject } from "../catalogue/json.ts";

/** What tells one process from every other: a number alone is given to another one day. */
export interface ProcessMark {
  readonly host: string;
  /** Of the system's start, where the system tells; and of the space that its number counts in, such as a container's. */
  readonly boot: string | null;
  readonly space: string | null;
  readonly pid: number;
  /** In ticks since that start: no clock that somebody sets. */
  readonly startedAt: string | null;
}

/** `unknown`: it cannot be looked for from here. */
export type Life = "alive" | "dead" | "unknown";

export function ownMark(): ProcessMark {
  const { pid } = process;
  const [boot, space] = [readOrNull("/proc/sys/kernel/random/boot_id"), linkOrNull("/proc/self/ns/pid")];
  return { host: hostname(), boot, space, pid, startedAt: statOf(pid)?.startedAt ?? null };
}

/** Whether the process of that mark still is there, as far as this process can tell for certain. */
export function lifeOf(mark: ProcessMark | null, own: ProcessMark = ownMark()): Life {
  if (mark === null || mark.host !== own.host || mark.boot !== own.boot || mark.space !== own.space) return "unknown";
  if (!exists(mark.pid)) return "dead";
  const stat = statOf(mark.pid);
  if (mark.startedAt === null || stat === null) return "unknown";
  return stat.isGone || stat.startedAt !== mark.startedAt ? "dead" : "alive";
}

/** A mark as it was written down, or null for what is none. */
export function readMark(json: string): ProcessMark | null {
  const value: unknown = JSON.parse(json);
  if (!isJsonObject(value)) return null;
  const { host, boot, space, pid, startedAt } = value;
  if (typeof host !== "string" || typeof pid !== "number") return null;
  return { host, pid, boot: textOrNull(boot), space: textOrNull(space), startedAt: textOrNull(startedAt) };
}

function exists(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // Of somebody else, whom we may not signal.
    return (error as NodeJS.ErrnoException).code !== "ESRCH";
  }
}

// proc_pid_stat(5): the name in brackets may hold anything, brackets too. State is field 3, start time 22.
function statOf(pid: number): { readonly isGone: boolean; readonly startedAt: string } | null {
  const stat = readOrNull(`/proc/${pid}/stat`);
  const fields = stat?.slice(stat.lastIndexOf(")") + 2).split(" ");
  const [state, startedAt] = [fields?.[0], fields?.[19]];
  return state === undefined || startedAt === undefined ? null : { isGone: state === "Z" || state === "X", startedAt };
}

function readOrNull(file: string): string | null {
  try {
    return readFileSync(file, "latin1").trim();
  } catch {
    return null;
  }
}

function linkOrNull(file: string): string | null {
  try {
    return readlinkSync(file);
  } catch {
    return null;
  }
}

function textOrNull(value: unknown): string | null {
  return typeof value === "string" ? value : null;
}
