import type { ChildProcess } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { RUN_VARIABLE } from "./environment.ts";

/** Every process of one run, to be ended together. */
export interface ProcessTree {
  /** Ends all of them with SIGKILL. May be called again, also after the first of them has ended. */
  kill(): void;
}

// A process that multiplies while it is looked for is met again in the next round.
const ROUNDS = 20;

/**
 * The processes that a program has started: its group, and on Linux whoever left it and can still be told by its session or by
 * the mark in its environment. One that takes a session of its own and wipes its environment is not found.
 */
export function processTree(child: ChildProcess, mark: string): ProcessTree {
  const { pid } = child;
  const since = pid === undefined ? null : (statOf(pid)?.startedAt ?? null);
  let hasEnded = false;
  child.once("exit", () => {
    hasEnded = true;
  });

  // The group keeps its number for as long as anyone is in it.
  function killGroup(): void {
    if (pid === undefined) return;
    try {
      process.kill(process.platform === "win32" ? pid : -pid, "SIGKILL");
    } catch {
      if (!hasEnded) child.kill("SIGKILL");
    }
  }

  function strays(): number[] {
    if (pid === undefined || since === null) return [];
    return pids().filter((other) => {
      const stat = statOf(other);
      if (other === pid || stat === null || stat.isGone || stat.startedAt < since) return false;
      return stat.session === pid || environmentOf(other).includes(`${RUN_VARIABLE}=${mark}`);
    });
  }

  return {
    kill() {
      killGroup();
      for (let round = 0; round < ROUNDS; round += 1) {
        const found = strays();
        if (found.length === 0) return;
        for (const other of found) killQuietly(other);
      }
    },
  };
}

interface Stat {
  readonly isGone: boolean;
  readonly session: number;
  /** Ticks since the system began. */
  readonly startedAt: number;
}

function pids(): number[] {
  try {
    return readdirSync("/proc")
      .filter((name) => /^\d+$/u.test(name))
      .map(Number);
  } catch {
    return [];
  }
}

// proc_pid_stat(5): the name in brackets may hold anything, brackets too. State is field 3, session 6, start time 22.
function statOf(pid: number): Stat | null {
  const stat = read(pid, "stat");
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  const [state, session, startedAt] = [fields[0], Number(fields[3]), Number(fields[19])];
  if (state === undefined || !Number.isInteger(session) || !Number.isInteger(startedAt)) return null;
  return { isGone: state === "Z" || state === "X", session, startedAt };
}

function environmentOf(pid: number): readonly string[] {
  return read(pid, "environ").split("\0");
}

function read(pid: number, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, "latin1");
  } catch {
    return "";
  }
}

function killQuietly(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // It has ended by itself.
  }
}
