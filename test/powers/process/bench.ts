import { chmodSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import type { Json, JsonObject } from "../../../src/catalogue/json.ts";
import type { Permissions } from "../../../src/powers/permissions.ts";
import type { Power } from "../../../src/powers/power.ts";
import { createProcess, type ProcessLimits } from "../../../src/powers/process/process.ts";
import { makeTempFolder } from "../../support/capabilities.ts";
import { makeUse, type TestUse } from "../storage/use.ts";

const LIMITS: ProcessLimits = { processMs: 20_000, processCount: 5, processInputBytes: 100_000, processOutputBytes: 50_000 };

export interface Ended {
  readonly exitCode: number | null;
  readonly signal: string | null;
  readonly stdout: string;
  readonly stderr: string;
  readonly truncated: boolean;
}

export interface Bench extends AsyncDisposable {
  readonly power: Power;
  readonly root: string;
  readonly workspace: string;
  /** Makes a program of that name, in a folder of the PATH. */
  program(name: string, source: string): void;
  use(permissions?: Partial<Permissions>): TestUse;
  run(use: TestUse, program: Json, args?: Json, more?: JsonObject): Promise<Ended>;
}

export function makeBench(limits: Partial<ProcessLimits> = {}): Bench {
  const temp = makeTempFolder();
  const [bin, workspace] = [path.join(temp.path, "bin"), path.join(temp.path, "workspace")];
  for (const folder of [bin, workspace, path.join(temp.path, "home")]) mkdirSync(folder);
  const pathBefore = process.env["PATH"] ?? "";
  process.env["PATH"] = `${bin}${path.delimiter}${pathBefore}`;
  const power = createProcess({ ...LIMITS, ...limits });
  const places = { workspace, home: path.join(temp.path, "home") };
  return {
    power,
    root: temp.path,
    workspace,
    program: (name, source) => writeProgram(path.join(bin, name), source),
    use: (permissions = {}) => makeUse("demo", { process: ["git", "tool"], ...permissions }, places),
    run: async (use, program, args = [], more = {}) =>
      (await power.perform({ op: "run", args: { program, args, ...more }, bytes: null }, use)).value as unknown as Ended,
    [Symbol.asyncDispose]: async () => {
      process.env["PATH"] = pathBefore;
      await power[Symbol.asyncDispose]();
      temp[Symbol.dispose]();
    },
  };
}

export function writeProgram(file: string, source: string): void {
  writeFileSync(file, `#!${process.execPath}\n${source}\n`);
  chmodSync(file, 0o755);
}

export const isAlive = (pid: number): boolean => {
  try {
    return !/^\d+ \(.*\) [ZX]/u.test(readFileSync(`/proc/${pid}/stat`, "latin1"));
  } catch {
    return false;
  }
};
