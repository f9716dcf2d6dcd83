import { mkdirSync, symlinkSync } from "node:fs";
import path from "node:path";
import { createEngine, type Engine, type EngineOptions, type LogEntry } from "toolcell";
import { makeTempFolder, writeFiles, type Files } from "../support/capabilities.ts";

export interface TestProject extends AsyncDisposable {
  /** The project's folder. */
  readonly root: string;
  readonly home: string;
  readonly log: readonly LogEntry[];
  /** An engine over it; the project ends it. */
  start(options?: EngineOptions): Promise<Engine>;
}

const INSTALLED = new URL("../../node_modules", import.meta.url).pathname;

/** A project with these packages, by name; their package.json may be given whole, or as what stands under `toolcell`. */
export function makeProject(packages: Readonly<Record<string, Files>>, files: Files = {}, linked: readonly string[] = []): TestProject {
  const temp = makeTempFolder();
  const [root, home] = [path.join(temp.path, "project"), path.join(temp.path, "home")];
  const dependencies = Object.fromEntries(Object.keys(packages).map((name) => [name, "1.0.0"]));
  writeFiles(root, { "package.json": JSON.stringify({ name: "a-project", dependencies }), ...files });
  for (const [name, content] of Object.entries(packages)) writeFiles(path.join(root, "node_modules", name), content);
  for (const name of linked) linkPackage(root, name, path.join(INSTALLED, name));
  const log: LogEntry[] = [];
  const engines: Engine[] = [];
  return {
    root,
    home,
    log,
    async start(options = {}) {
      const engine = await createEngine({ home, plugins: root, watch: false, log: (entry) => log.push(entry), ...options });
      engines.push(engine);
      return engine;
    },
    async [Symbol.asyncDispose]() {
      for (const engine of engines) await engine.close();
      temp[Symbol.dispose]();
    },
  };
}

/** As a package manager links what it keeps elsewhere. */
export function linkPackage(root: string, name: string, target: string): void {
  const link = path.join(root, "node_modules", name);
  mkdirSync(path.dirname(link), { recursive: true });
  symlinkSync(target, link);
}

/** The package.json of a package with tools, as text. */
export function packageJson(name: string, toolcell: unknown, more: object = {}): string {
  return JSON.stringify({ name, version: "1.0.0", type: "module", ...more, toolcell });
}

/** A package whose tools each answer with their own name, in the engine's own form. */
export function packageOf(name: string, tools: readonly string[], answer = "it"): Files {
  const entries = Object.fromEntries(tools.map((tool) => [tool, `./tools.js#${tool}`]));
  return { "package.json": packageJson(name, { tools: entries }), "tools.js": tools.map((tool) => ownTool(tool, answer)).join("\n") };
}

export function ownTool(name: string, answer = "it"): string {
  return `export const ${name} = { NAME: "${name}", DESCRIPTION: "Does ${name}.", run() { return ${JSON.stringify(answer)}; } };`;
}

/** The tools that came from packages. */
export function names(engine: Engine): readonly string[] {
  return engine
    .tools()
    .filter(({ kind }) => kind === "package")
    .map(({ name }) => name);
}

/** Why something of a package is not taken, or "" where it is. */
export function whyNot(engine: Engine, source: string, name: string = source): string {
  return engine.skipped().find((skipped) => skipped.source === source && skipped.name === name)?.reason ?? "";
}
