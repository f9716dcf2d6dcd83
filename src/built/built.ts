import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

// Two folders up: it is so from this file and from what it is built into.
const ROOT = new URL("../../", import.meta.url);
const DIST = new URL("dist/", ROOT);

/** This package's version. */
export const ENGINE_VERSION = (JSON.parse(readFileSync(new URL("package.json", ROOT), "utf8")) as { version: string }).version;

/** The path of a file or folder that the build makes. */
export function builtPath(name: string): string {
  return fileURLToPath(new URL(name, DIST));
}
