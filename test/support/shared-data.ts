import { existsSync, readFileSync } from "node:fs";
import path from "node:path";

const ROOT = path.join(import.meta.dirname, "../..");

/** Where a suite would stand. */
export function sharedFolder(suite: string): string {
  return path.join(process.env["TOOLCELL_TEST_DATA"] ?? path.join(ROOT, "../shared/data"), suite);
}

/**
 * A file of the suites that are tested against and are not a part of this project: in the folder that `TOOLCELL_TEST_DATA`
 * names, else in `../shared/data`. Null where it is not there, which is said once for each suite.
 */
export function readSharedData(suite: string, file: string): string | null {
  const target = path.join(sharedFolder(suite), file);
  if (existsSync(target)) return readFileSync(target, "utf8");
  process.stdout.write(`# ${suite}/${file} did not run: set TOOLCELL_TEST_DATA to the folder that holds ${suite}\n`);
  return null;
}
