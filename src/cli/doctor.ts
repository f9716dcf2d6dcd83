import { access, constants } from "node:fs/promises";
import { availableParallelism } from "node:os";
import { delimiter, join } from "node:path";
import { findAddon } from "../cell/addon.ts";
import { createEngine } from "../engine/engine.ts";
import { assertNoWords, engineOptions, type CommandLine } from "./command-line.ts";
import { EXIT } from "./exit.ts";

interface Finding {
  readonly name: string;
  readonly state: "ok" | "missing" | "failed";
  readonly detail: string;
  /** Whether no tool can be sealed without it. */
  readonly isNeeded: boolean;
}

/** `toolcell doctor`: what this machine can seal, found out by trying. Exit 1 where a tool cannot be sealed at all. */
export async function doctorCommand(line: CommandLine): Promise<number> {
  assertNoWords(line);
  const findings = [node(), addon(), ...(await tryCell(line)), memoryWatch(), await bubblewrap()];
  if (line.flags.json) process.stdout.write(`${JSON.stringify(findings, null, 2)}\n`);
  else for (const { name, state, detail } of findings) process.stdout.write(`${state.padEnd(8)}${name}: ${detail}\n`);
  return findings.some(({ state, isNeeded }) => isNeeded && state !== "ok") ? EXIT.failed : EXIT.ok;
}

function node(): Finding {
  return {
    name: "Node",
    state: "ok",
    detail: `${process.version}, ${process.platform} ${process.arch}, ${availableParallelism()} cores`,
    isNeeded: true,
  };
}

function addon(): Finding {
  try {
    return { name: "isolated-vm", state: "ok", detail: findAddon().version, isNeeded: true };
  } catch (error) {
    return { name: "isolated-vm", state: "missing", detail: error instanceof Error ? error.message : String(error), isNeeded: true };
  }
}

// A real call in a real cell.
async function tryCell(line: CommandLine): Promise<readonly Finding[]> {
  await using engine = await createEngine({ ...engineOptions(line.flags), capabilities: [], log: () => undefined });
  const called = await engine.call("text_stats", { text: "a b c" });
  const { startMs, wallMs } = called.usage;
  const cell: Finding = {
    name: "sealed call",
    state: called.ok ? "ok" : "failed",
    detail: called.ok ? `a cell started in ${startMs.toFixed(0)} ms, the call took ${(wallMs - startMs).toFixed(1)} ms` : called.text,
    isNeeded: true,
  };
  return [cell];
}

function memoryWatch(): Finding {
  const isThere = process.platform === "linux";
  return {
    name: "memory watch by the host",
    state: isThere ? "ok" : "missing",
    detail: isThere ? "reads the resident memory of every busy cell" : "only Linux tells; each cell's keeper watches itself",
    isNeeded: false,
  };
}

async function bubblewrap(): Promise<Finding> {
  for (const folder of (process.env["PATH"] ?? "").split(delimiter)) {
    const file = join(folder, "bwrap");
    const isThere = await access(file, constants.X_OK).then(
      () => true,
      () => false,
    );
    if (isThere) return { name: "bubblewrap", state: "missing", detail: "installed, and not used by this version", isNeeded: false };
  }
  return { name: "bubblewrap", state: "missing", detail: "not installed; this version does not use it", isNeeded: false };
}
