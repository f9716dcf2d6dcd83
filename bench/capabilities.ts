import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createEngine } from "toolcell";
import { childPids } from "../src/bench/processes.ts";
import type { Side } from "./side.ts";

type Engine = Awaited<ReturnType<typeof createEngine>>;
type Options = NonNullable<Parameters<typeof createEngine>[0]>;

/** A folder with capabilities to measure, gone with it. */
export interface BenchFolder extends Disposable {
  readonly path: string;
  readonly workspace: string;
  /** Writes a capability: what is named, and tools that give a text back and compute. */
  add(capability: string, files?: Readonly<Record<string, string>>): void;
  /** An engine over all of them, with a home that its engines share, and nothing of the owner's. */
  start(options?: Options): Promise<Engine>;
}

export function makeBenchFolder(): BenchFolder {
  const path = mkdtempSync(join(tmpdir(), "toolcell-bench-"));
  const [capabilities, workspace, home] = ["capabilities", "workspace", "home"].map((name) => join(path, name)) as [string, string, string];
  for (const folder of [capabilities, workspace, home]) mkdirSync(folder);
  return {
    path,
    workspace,
    add: (capability, files = {}) => {
      mkdirSync(join(capabilities, capability));
      const all = { "echo.js": echoSource(capability), "spin.js": spinSource(capability), ...files };
      for (const [file, source] of Object.entries(all)) writeFileSync(join(capabilities, capability, file), source);
    },
    start: (options = {}) =>
      createEngine({ home, workspace, capabilities: [capabilities], watch: false, policy: { grant: () => true }, ...options }),
    [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }),
  };
}

/** Calls a tool. Throws where it does not end well. */
export async function call(engine: Engine, tool: string, args: object = {}): Promise<string> {
  const { ok, text } = await engine.call(tool, args);
  if (!ok) throw new Error(text);
  return text;
}

/** A capability as one of the sides: the whole path of a call. Its processes are all but those of the others. */
export function toSide(name: string, engine: Engine, capability: string, others: () => readonly number[]): Side {
  return {
    name,
    echo: (args) => call(engine, `${capability}_echo`, args),
    pids: () => childPids().filter((pid) => !others().includes(pid)),
    [Symbol.asyncDispose]: () => engine.close(),
  };
}

function echoSource(capability: string): string {
  return `export const NAME = "${capability}_echo";
export const DESCRIPTION = "Gives its text back.";
export const INPUT_SCHEMA = { type: "object", properties: { text: { type: "string" } }, required: ["text"] };
export const run = (context, { text }) => text;
`;
}

function spinSource(capability: string): string {
  return `export const NAME = "${capability}_spin";
export const DESCRIPTION = "Computes.";
export const INPUT_SCHEMA = { type: "object", properties: { ms: { type: "integer" } }, required: ["ms"] };
export function run(context, { ms }) {
  const end = Date.now() + ms;
  while (Date.now() < end);
  return "done";
}
`;
}
