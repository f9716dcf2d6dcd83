import { spawnSync } from "node:child_process";
import { join } from "node:path";
import type { ScopeReport } from "../src/bench/run.ts";

/** Each is a program of its own, in a process of its own: what one has loaded and measured is none of the next one's. */
export const SCOPES = ["call", "start", "throughput", "payload", "power", "reload", "density", "registry", "contention"];

/** Runs a scope's program. Throws where it fails; what it had to say stands on stderr. */
export function measureScope(scope: string, isQuick: boolean): ScopeReport {
  const args = [join(import.meta.dirname, `${scope}.ts`), "--json", ...(isQuick ? ["--quick"] : [])];
  const { status, signal, stdout } = spawnSync(process.execPath, args, {
    encoding: "utf8",
    stdio: ["ignore", "pipe", "inherit"],
    maxBuffer: 256 * 1024 * 1024,
  });
  if (status !== 0) throw new Error(`The scope "${scope}" ended with ${signal ?? `exit code ${status ?? "unknown"}`}`);
  return JSON.parse(stdout) as ScopeReport;
}
