import { randomUUID } from "node:crypto";
import { mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";

/** Writes a file so that nobody ever reads half of it. False where it cannot be written: a cache is never needed. */
export function writeWhole(file: string, text: string): boolean {
  const temporary = `${file}.${process.pid}.${randomUUID()}`;
  try {
    mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
    writeFileSync(temporary, text, { mode: 0o600, flag: "wx" });
    renameSync(temporary, file);
    return true;
  } catch {
    removeQuietly(temporary);
    return false;
  }
}

function removeQuietly(file: string): void {
  try {
    rmSync(file, { force: true });
  } catch {
    // The cache cannot be written at all, so that there is nothing to remove either.
  }
}
