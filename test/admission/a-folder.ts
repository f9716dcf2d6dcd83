import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { after } from "node:test";
import vm from "node:vm";
import { createAdmission, type Admission, type AdmissionLimits } from "../../src/admission/admission.ts";
import type { CapabilityRecord } from "../../src/admission/record.ts";
import { LIMITS } from "../../src/engine/limits.ts";

export type Files = Readonly<Record<string, string | Uint8Array>>;

/** The engine's own defaults, with what a test changes. */
export function limitsWith(changed: Partial<AdmissionLimits> = {}): AdmissionLimits {
  const defaults = Object.fromEntries(Object.entries(LIMITS).map(([name, { value }]) => [name, value]));
  return { ...(defaults as unknown as AdmissionLimits), ...changed };
}

const made: string[] = [];
after(() => {
  for (const folder of made) rmSync(folder, { recursive: true, force: true });
});

export function makeTempDir(): string {
  const folder = realpathSync(mkdtempSync(path.join(tmpdir(), "toolcell-admission-")));
  made.push(folder);
  return folder;
}

/** A capability folder of this name, in a temporary folder of its own. */
export function makeFolder(files: Files, name = "sample"): string {
  const folder = path.join(makeTempDir(), name);
  mkdirSync(folder);
  writeFiles(folder, files);
  return folder;
}

export function writeFiles(folder: string, files: Files): void {
  for (const [file, content] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(folder, file)), { recursive: true });
    writeFileSync(path.join(folder, file), content);
  }
}

/** A tool file in order, with more source before or in place of what it has. */
export function tool(name: string, { before = "", run = "export const run = () => 1;", schema = "" } = {}): string {
  const input = schema === "" ? "" : `export const INPUT_SCHEMA = ${schema};\n`;
  return `${before}\nexport const NAME = "${name}";\nexport const DESCRIPTION = "Does ${name}.";\n${input}${run}\n`;
}

/** An admission that the test file shares; closed when its tests are done. */
export function sharedAdmission(changed: Partial<AdmissionLimits> = {}): Admission {
  const admission = createAdmission({ shippedDir: null, cacheDir: makeTempDir(), limits: limitsWith(changed) });
  after(() => admission.close());
  return admission;
}

export async function admitFiles(admission: Admission, files: Files, name = "sample"): Promise<CapabilityRecord> {
  return await admission.admit(makeFolder(files, name), { shipped: false });
}

export function brokenReason(record: CapabilityRecord, file: string): string {
  const fault = record.broken.find((broken) => broken.file === file);
  return fault === undefined ? "not broken" : `${fault.line ?? "-"}: ${fault.reason}`;
}

interface LoadedTool {
  file: string;
  load(): Promise<{ run(context: unknown, args: unknown): unknown }>;
  validate(): Promise<{ default: Validator }>;
  explain(): Promise<{ default: Validator }>;
}
type Validator = ((args: unknown) => boolean) & {
  errors?: { keyword: string; instancePath: string; params: unknown; message: string }[] | null;
};

/** Runs a bundle of a test's own making, as a cell would: in a realm with nothing in it. */
export function loadBundle(text: string): Record<string, LoadedTool> {
  let tools: Record<string, LoadedTool> = {};
  const host = { os: "linux", arch: "x64", cpus: 1, memoryBytes: 1, node: "24", engine: "0", timeZone: "UTC", locale: "en" };
  const toolcell = { ToolError: class ToolError extends Error {}, host, fs: { constants: {} } };
  const load = (capability: (guest: unknown) => { tools: Record<string, LoadedTool> }): void => {
    tools = capability(toolcell).tools;
  };
  vm.runInNewContext(text, { __toolcell_load: load });
  return tools;
}

export async function loadRecord(admission: Admission, record: CapabilityRecord): Promise<Record<string, LoadedTool>> {
  if (record.bundleHash === null) throw new Error(`No bundle: ${JSON.stringify([record.refused, record.broken])}`);
  return loadBundle(await admission.bundle(record.bundleHash));
}
