import { randomUUID } from "node:crypto";
import { mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { toErrorCode } from "./faults.ts";

const NEW_FILE = { mode: 0o600, flag: "wx" } as const;

/** Writes a file so that nobody ever reads half of it. False where it cannot be written: a cache is never needed. */
export function writeWhole(file: string, text: string): boolean {
  const temporary = `${file}.${process.pid}.${randomUUID()}`;
  try {
    writeNew(temporary, text);
    renameSync(temporary, file);
    return true;
  } catch {
    removeQuietly(temporary);
    return false;
  }
}

/** The folder is nearly always there. */
function writeNew(file: string, text: string): void {
  try {
    writeFileSync(file, text, NEW_FILE);
  } catch (error) {
    if (toErrorCode(error) !== "ENOENT") throw error;
    mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
    writeFileSync(file, text, NEW_FILE);
  }
}

function removeQuietly(file: string): void {
  try {
    rmSync(file, { force: true });
  } catch {
    // The cache cannot be written at all, so that there is nothing to remove either.
  }
}
