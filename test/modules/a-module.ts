import { mkdirSync } from "node:fs";
import path from "node:path";
import { createEngine, type Engine, type EngineOptions, type LogEntry } from "toolcell";
import { makeTempFolder, writeFiles, type Files } from "../support/capabilities.ts";

export interface ModuleEngine extends AsyncDisposable {
  readonly engine: Engine;
  readonly root: string;
  readonly home: string;
  readonly agentDir: string;
  readonly shared: string;
  readonly personal: string;
  readonly log: readonly LogEntry[];
  /** Another engine over the same folders; the first one goes on. */
  again(options?: EngineOptions): Promise<Engine>;
}

/** Files by tier and place: `personal/x.ts`, `shared/x.ts`, `capabilities/demo/one.js`, `agent/permissions.json`. */
export async function makeModules(files: Files, options: EngineOptions = {}): Promise<ModuleEngine> {
  const temp = makeTempFolder();
  const root = temp.path;
  const [home, agentDir] = [path.join(root, "home"), path.join(root, "agent")];
  const [shared, personal] = [path.join(home, "common_tools"), path.join(agentDir, "tools")];
  const capabilities = path.join(root, "capabilities");
  for (const folder of [shared, personal, capabilities]) mkdirSync(folder, { recursive: true });
  writeFiles(root, Object.fromEntries(Object.entries(files).map(([file, content]) => [toPlace(file), content])));
  const log: LogEntry[] = [];
  const engines: Engine[] = [];
  const start = async (more: EngineOptions = {}): Promise<Engine> => {
    const engine = await createEngine({
      home,
      agentDir,
      capabilities: [capabilities],
      log: (entry) => log.push(entry),
      ...options,
      ...more,
    });
    engines.push(engine);
    return engine;
  };
  const dispose = async (): Promise<void> => {
    for (const engine of engines) await engine.close();
    temp[Symbol.dispose]();
  };
  try {
    const engine = await start();
    return { engine, root, home, agentDir, shared, personal, log, again: start, [Symbol.asyncDispose]: dispose };
  } catch (error) {
    await dispose();
    throw error;
  }
}

function toPlace(file: string): string {
  return file.replace(/^shared\//u, "home/common_tools/").replace(/^personal\//u, "agent/tools/");
}

/** A schema as source text. */
export function schema(name: string, more = ""): string {
  return `{ name: ${JSON.stringify(name)}, description: "Does ${name}.", input_schema: { type: "object", properties: {} }${more} }`;
}

/** A module that offers these tools; each answers with `answer`. */
export function moduleOf(tools: readonly string[], answer = "it", before = ""): string {
  return `${before}
export function getToolSchemas() { return [${tools.map((name) => schema(name)).join(", ")}]; }
export function dispatch(name, args) { return ${JSON.stringify(answer)}; }
`;
}

export function names(engine: Engine): readonly string[] {
  return engine
    .tools()
    .filter(({ kind }) => kind === "module")
    .map(({ name }) => name);
}

/** The reason for which something is not taken, or "" where it is. */
export function whyNot(engine: Engine, name: string): string {
  return engine.skipped().find((skipped) => skipped.name === name)?.reason ?? "";
}

/** Resolves once `check` holds: looked at after each event of the engine's, and when there is none for a while. */
export async function until(engine: Engine, check: () => boolean | Promise<boolean>): Promise<void> {
  const events = ["added", "reloaded", "kept", "refused", "removed"] as const;
  while (!(await check())) {
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, 200);
    const offs = events.map((event) => engine.on(event, () => resolve()));
    await promise;
    clearTimeout(timer);
    for (const off of offs) off();
  }
}
