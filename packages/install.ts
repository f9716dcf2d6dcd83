import { execFile } from "node:child_process";
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { dependenciesOf, PUBLISHED_BEFORE, type Package } from "./list.ts";

const TASKS = join(import.meta.dirname, "tasks");
const NPM_ARGUMENTS = ["install", "--ignore-scripts", "--no-audit", "--no-fund", "--prefer-offline", `--before=${PUBLISHED_BEFORE}`];

/** As a capability's folder is named: "@octokit/rest" stands in "octokit-rest". */
export function folderNameOf(name: string): string {
  return name.replace("@", "").replaceAll(/[/.]/gu, "-");
}

/**
 * Makes a package's capability folder: its task, and what npm puts there for the pinned version. No script of a package
 * runs. Nothing is installed again where the same stands there already.
 */
export async function installPackage(entry: Package, folder: string): Promise<void> {
  const task = `${folderNameOf(entry.name)}.ts`;
  const packageJson = JSON.stringify({ private: true, type: "module", dependencies: dependenciesOf(entry) });
  mkdirSync(folder, { recursive: true });
  copyFileSync(join(TASKS, task), join(folder, task));
  const done = join(folder, ".installed");
  if (readIfThere(done) === packageJson) return;
  writeFileSync(join(folder, "package.json"), packageJson);
  // npm's own cache is shared by all of them.
  await promisify(execFile)("npm", NPM_ARGUMENTS, { cwd: folder, timeout: 300_000 });
  writeFileSync(done, packageJson);
}

function readIfThere(file: string): string | null {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return null;
  }
}
