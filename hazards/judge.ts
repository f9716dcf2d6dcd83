import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { ProcessUse } from "../src/cell/process-use.ts";
import type { HazardCase } from "./case.ts";
import { MEMORY_BYTES, type DriverName } from "./driver.ts";

/** Whether a driver contained a case, and if not, the first thing that went wrong. */
export interface Verdict {
  readonly driver: DriverName;
  readonly hazard: string;
  readonly isContained: boolean;
  readonly why: string;
  /** Worth trying again alone: a machine that is busy slows the host down too. */
  readonly isDoubtful: boolean;
}

interface Seen {
  readonly settledMs: number;
  readonly end: { readonly how: "returned" | "failed" | "wrong" | "never"; readonly text: string };
  readonly delays: readonly number[];
  readonly isClosed: boolean;
  readonly isPolluted: boolean;
  readonly hasLeaked: boolean;
  readonly strays: number;
}

const MiB = 1024 * 1024;
export const WATCHDOG = { ms: 10_000, bytes: 4096 * MiB } as const;
/** What the host may grow by: the guest's own memory, where that is the host's, and 100 MiB. */
export const GROWTH_BYTES = MEMORY_BYTES + 100 * MiB;
export const DELAY_MS = 100;
const SLOW_LOOKS = 2;
const EXIT_MS = 2500;
const LOOK_MS = 25;
const ONE_FILE = fileURLToPath(new URL("one.ts", import.meta.url));

/** Runs one case under one driver in a fresh process, watched from outside. Never rejects for what the case does. */
export async function judge(driver: DriverName, { name }: HazardCase): Promise<Verdict> {
  const child = spawn(process.execPath, [ONE_FILE, driver, name], { stdio: ["ignore", "pipe", "ignore"] });
  const memory = new ProcessUse(child.pid ?? 0);
  let [begunBytes, peakBytes, saidAt] = [0, 0, 0];
  let killed: string | null = null;
  let seen: Seen | null = null;
  const kill = (why: string): void => {
    killed ??= why;
    child.kill("SIGKILL");
  };
  const overdue = setTimeout(() => kill(seen === null ? "the host process hung" : "the host process could not exit"), WATCHDOG.ms);
  const look = setInterval(() => {
    const own = residentBytes(child.pid ?? 0);
    if (begunBytes > 0) peakBytes = Math.max(peakBytes, own);
    if ((memory.residentBytes() ?? 0) > WATCHDOG.bytes) kill("it took 4 GB");
  }, LOOK_MS);
  createInterface({ input: child.stdout }).on("line", (line) => {
    const said = parse(line);
    if (said === null) return;
    if ("begun" in said) begunBytes = residentBytes(child.pid ?? 0);
    else [seen, saidAt] = [said, performance.now()];
  });
  const [code, signal] = await new Promise<[number | null, string | null]>((resolve) => child.once("close", (...end) => resolve(end)));
  clearTimeout(overdue);
  clearInterval(look);
  const exitMs = saidAt === 0 ? 0 : performance.now() - saidAt;
  const fault = killed ?? faultOf(seen, { code, signal, exitMs, grownBytes: peakBytes - begunBytes });
  return { driver, hazard: name, isContained: fault === null, why: fault ?? "", isDoubtful: /kept waiting/u.test(fault ?? "") };
}

interface End {
  readonly code: number | null;
  readonly signal: string | null;
  readonly exitMs: number;
  readonly grownBytes: number;
}

function faultOf(seen: Seen | null, { code, signal, exitMs, grownBytes }: End): string | null {
  if (seen === null) return signal === null ? `it ended the host process (exit ${code})` : `the host process died (${signal})`;
  const slow = seen.delays.filter((delay) => delay > DELAY_MS);
  if (seen.hasLeaked) return "it read what is the host's";
  if (seen.isPolluted) return "it changed the host's own objects";
  if (seen.end.how === "never") return "the call never ended";
  if (seen.end.how === "wrong") return `wrong end: ${seen.end.text}`;
  if (grownBytes > GROWTH_BYTES) return `the host grew by ${Math.round(grownBytes / MiB)} MB`;
  if (!seen.isClosed) return "it could not be stopped";
  if (exitMs > EXIT_MS) return "the host process could not exit";
  if (seen.strays > 0) return `${seen.strays} stray rejections in the host`;
  if (slow.length > SLOW_LOOKS || Math.max(0, ...slow) > 1000) return `other work was kept waiting for ${Math.max(...slow)} ms`;
  if (code !== 0) return `the host process ended with ${signal ?? code}`;
  return null;
}

function parse(line: string): Seen | { readonly begun: true } | null {
  try {
    return JSON.parse(line) as Seen | { readonly begun: true };
  } catch {
    return null;
  }
}

function residentBytes(pid: number): number {
  try {
    return Number(readFileSync(`/proc/${pid}/statm`, "latin1").split(" ")[1]) * 4096;
  } catch {
    return 0;
  }
}
