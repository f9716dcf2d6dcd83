import { availableParallelism, cpus, loadavg, release, totalmem } from "node:os";
import { ENGINE_VERSION } from "../built/built.ts";
import { isJsonObject } from "../catalogue/json.ts";
import { BENCH } from "../catalogue/texts.ts";
import type { AddonFile } from "../cell/addon.ts";
import type { Ratio } from "./ratio.ts";
import type { Row } from "./rounds.ts";

/** The machine and the versions that a run is of. */
export interface Machine {
  readonly cpu: string;
  readonly coreCount: number;
  readonly memoryBytes: number;
  readonly system: string;
  readonly versions: Readonly<Record<string, string>>;
}

/** A contender that could not take part. */
export interface LeftOut {
  readonly name: string;
  readonly reason: string;
}

/** What one scope measured. */
export interface ScopeReport {
  readonly scope: string;
  readonly about: string;
  readonly roundCount: number;
  /** Processes that wanted a core, averaged over a minute, before and after. */
  readonly load: readonly [number, number];
  readonly rows: readonly Row[];
  readonly ratios: readonly Ratio[];
  readonly leftOut: readonly LeftOut[];
}

/** A whole run, as it is saved. */
export interface Run {
  readonly format: 1;
  readonly at: string;
  readonly machine: Machine;
  readonly scopes: readonly ScopeReport[];
}

/** A file that holds no run. */
export class RunError extends Error {
  override readonly name = "RunError";
}

export function toRun(scopes: readonly ScopeReport[], { version }: AddonFile): Run {
  const machine = {
    cpu: cpus()[0]?.model ?? "unknown",
    coreCount: availableParallelism(),
    memoryBytes: totalmem(),
    system: `${process.platform} ${release()}`,
    versions: { toolcell: ENGINE_VERSION, node: process.versions.node, v8: process.versions.v8, "isolated-vm": version },
  };
  return { format: 1, at: new Date().toISOString(), machine, scopes };
}

export function loadNow(): number {
  return loadavg()[0] ?? 0;
}

/** As it is saved and printed: in the digits that count. */
export function toJson(value: object): string {
  return `${JSON.stringify(value, (_key, part: unknown) => (typeof part === "number" && !Number.isInteger(part) ? Number(part.toPrecision(6)) : part))}\n`;
}

/** Throws RunError for a text that is no saved run of this format. */
export function readRun(text: string, file: string): Run {
  const value = parse(text);
  if (!isJsonObject(value) || value["format"] !== 1 || !isJsonObject(value["machine"]) || !isScopes(value["scopes"]))
    throw new RunError(BENCH.noRun(file));
  return value as unknown as Run;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function isScopes(value: unknown): boolean {
  const isScope = (scope: unknown): boolean =>
    isJsonObject(scope) && typeof scope["scope"] === "string" && isRatios(scope["ratios"]) && Array.isArray(scope["rows"]);
  return Array.isArray(value) && value.every(isScope);
}

function isRatios(value: unknown): boolean {
  const isRatio = (ratio: unknown): boolean =>
    isJsonObject(ratio) && typeof ratio["id"] === "string" && typeof ratio["median"] === "number";
  return Array.isArray(value) && value.every(isRatio);
}
