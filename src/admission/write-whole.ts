import { randomUUID } from "node:crypto";
import { mkdir, rename, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { toErrorCode } from "./faults.ts";

const NEW_FILE = { mode: 0o600, flag: "wx" } as const;

/**
 * Writes a file so that nobody ever reads half of it. False where it cannot be written: a cache is never needed. A disk takes
 * its time over a new file, which the thread has a better use for.
 */
export async function writeWhole(file: string, text: string): Promise<boolean> {
  const temporary = `${file}.${process.pid}.${randomUUID()}`;
  try {
    await writeNew(temporary, text);
    await rename(temporary, file);
    return true;
  } catch {
    // Where the cache cannot be written at all, there is nothing to remove either.
    await rm(temporary, { force: true }).catch(() => undefined);
    return false;
  }
}

/** The folder is nearly always there. */
async function writeNew(file: string, text: string): Promise<void> {
  try {
    await writeFile(file, text, NEW_FILE);
  } catch (error) {
    if (toErrorCode(error) !== "ENOENT") throw error;
    await mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
    await writeFile(file, text, NEW_FILE);
  }
}
