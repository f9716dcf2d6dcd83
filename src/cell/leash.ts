import { execFile } from "node:child_process";
import { findProgram } from "./find-program.ts";

// Which the system sends to what is on the leash when the thread of the host that started it has ended.
const FLAGS = ["--pdeathsig", "KILL"] as const;

let found: Promise<string | null> | null = null;

/**
 * The program that has the system kill a keeper with its host, where this machine has one that does (util-linux on Linux), else
 * null. A keeper without it keeps its own thread free to notice the end of its host by itself, and is slower for that.
 */
export function findLeash(): Promise<string | null> {
  return (found ??= find());
}

/** The command that runs `command` on the leash; the process stays the one that was started. */
export function leashed(leash: string | null, command: readonly string[]): readonly string[] {
  return leash === null ? command : [leash, ...FLAGS, "--", ...command];
}

async function find(): Promise<string | null> {
  const [leash, nothing] = process.platform === "linux" ? [findProgram("setpriv"), findProgram("true")] : [null, null];
  if (leash === null || nothing === null) return null;
  const [command = "", ...args] = leashed(leash, [nothing]);
  return await new Promise((resolve) => execFile(command, args, { env: {} }, (error) => resolve(error === null ? leash : null)));
}
