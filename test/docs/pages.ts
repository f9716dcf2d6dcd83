import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { makeTempFolder, writeFiles, type Files } from "../support/capabilities.ts";

export const ROOT = path.join(import.meta.dirname, "..", "..");

/** A fenced block of a page, with the output that the page shows right after it. */
export interface Block {
  readonly page: string;
  readonly line: number;
  readonly language: string;
  readonly code: string;
  readonly shown: string | null;
}

export function readPage(page: string): string {
  return readFileSync(path.join(ROOT, page), "utf8");
}

/** A page's blocks of code; a `text` block belongs to the one before it. */
export function readBlocks(page: string): readonly Block[] {
  const fences = [...readPage(page).matchAll(/^```(\w+)\n([\s\S]*?)^```$/gmu)];
  return fences.flatMap(([, language = "", code = ""], index) => {
    if (language === "text") return [];
    const next = fences[index + 1];
    const line = readPage(page).slice(0, fences[index]?.index).split("\n").length;
    return [{ page, line, language, code, shown: next?.[1] === "text" ? (next[2] ?? "") : null }];
  });
}

/** A project that has toolcell installed, in which a page's blocks run one after the other. */
export interface Project extends Disposable {
  /** Runs a block, or writes the file that its first line names. Throws where it fails, or shows something else. */
  run(block: Block): void;
}

/** `packages` are installed in it beside toolcell. */
export function makeProject(files: Files = {}, packages: readonly string[] = []): Project {
  const temp = makeTempFolder();
  const project = path.join(temp.path, "project");
  const bin = path.join(project, "node_modules", ".bin");
  mkdirSync(bin, { recursive: true });
  symlinkSync(ROOT, path.join(project, "node_modules", "toolcell"));
  for (const name of packages) {
    const link = path.join(project, "node_modules", name);
    mkdirSync(path.dirname(link), { recursive: true });
    symlinkSync(path.join(ROOT, "node_modules", name), link);
  }
  symlinkSync(path.join("..", "toolcell", "dist", "cli.js"), path.join(bin, "toolcell"));
  writeFiles(project, { "package.json": '{ "name": "project", "private": true, "type": "module" }\n', ...files });
  cpSync(path.join(ROOT, "README.md"), path.join(project, "README.md"));
  const env = {
    ...process.env,
    TOOLCELL_HOME: path.join(temp.path, "home"),
    PATH: `${path.dirname(process.execPath)}${path.delimiter}${process.env["PATH"] ?? ""}`,
    npm_config_offline: "true",
    npm_config_update_notifier: "false",
  };

  function run(block: Block): void {
    const { page, line, language, code, shown } = block;
    const target = /^\/\/ (\S+\.ts)\n/u.exec(code)?.[1];
    if (target !== undefined) return writeFiles(project, { [target]: code });
    const file = path.join(project, `block-${line}.ts`);
    if (language === "ts") writeFileSync(file, code);
    const [command, args] = language === "ts" ? [process.execPath, [file]] : ["sh", ["-ec", `exec 2>&1\n${code}`]];
    const { status, stdout, stderr } = spawnSync(command, args, { cwd: project, env, encoding: "utf8" });
    const place = `${page}:${line}`;
    if (shown === null) assert.equal(status, 0, `${place} failed:\n${stdout}${stderr}`);
    else assert.equal(stdout + stderr, shown, `${place} shows something else`);
  }

  return { run, [Symbol.dispose]: () => temp[Symbol.dispose]() };
}
