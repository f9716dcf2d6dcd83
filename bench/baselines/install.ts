import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

const FOLDER = import.meta.dirname;
let reason: string | null | undefined;

/**
 * Puts what the bench measures against beside it, in the versions of its lockfile, where it is not there yet. Nothing of it runs
 * a script. Throws why it cannot be had.
 */
export function needBaselines(): void {
  if (reason === undefined) reason = isThere() ? null : install();
  if (reason !== null) throw new Error(reason);
}

/** Whether a run without the network could use them. */
export function hasBaselines(): boolean {
  return isThere();
}

// Another version of one of them would be another baseline.
function isThere(): boolean {
  const { dependencies } = JSON.parse(readFileSync(join(FOLDER, "package.json"), "utf8")) as { dependencies: Record<string, string> };
  return Object.entries(dependencies).every(([name, version]) => {
    const file = join(FOLDER, "node_modules", name, "package.json");
    return existsSync(file) && (JSON.parse(readFileSync(file, "utf8")) as { version: string }).version === version;
  });
}

function install(): string | null {
  process.stderr.write("Installing what is measured against into bench/baselines, once (npm ci --prefix bench/baselines)\n");
  const args = ["ci", "--prefix", FOLDER, "--ignore-scripts", "--no-audit", "--no-fund"];
  const { status, stderr, error } = spawnSync("npm", args, { encoding: "utf8", stdio: ["ignore", "ignore", "pipe"], timeout: 300_000 });
  if (status === 0 && isThere()) return null;
  const said = error?.message ?? stderr.trim().split("\n", 1)[0] ?? "";
  return `\`npm ci --prefix bench/baselines\` did not bring it: ${said}`;
}
