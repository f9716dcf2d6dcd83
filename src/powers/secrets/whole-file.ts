import { randomUUID } from "node:crypto";
import { closeSync, constants, fstatSync, fsyncSync, linkSync, openSync, readSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import type { Stats } from "node:fs";

/** A regular file's text and what the opened file is, or null where there is none. A link is not followed. */
export function readOwnFile(file: string, maxBytes: number): { readonly text: string | null; readonly stats: Stats } | null {
  const descriptor = openOrNull(file);
  if (descriptor === null) return null;
  try {
    const stats = fstatSync(descriptor);
    if (!stats.isFile() || stats.size > maxBytes) return { text: null, stats };
    const bytes = Buffer.alloc(stats.size);
    const read = readSync(descriptor, bytes);
    return { text: bytes.toString("utf8", 0, read), stats };
  } finally {
    closeSync(descriptor);
  }
}

/**
 * Writes a file of mode 0600 so that it is there whole or not at all, also after the power has failed. Without `replaces` what
 * is there stays, and the error is EEXIST.
 */
export function writeOwnFile(file: string, text: string, { replaces }: { readonly replaces: boolean }): void {
  const draft = `${file}.${randomUUID()}`;
  try {
    const descriptor = openSync(draft, "wx", 0o600);
    try {
      writeFileSync(descriptor, text);
      fsyncSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
    if (replaces) renameSync(draft, file);
    else linkSync(draft, file);
    syncFolder(dirname(file));
  } finally {
    rmSync(draft, { force: true });
  }
}

function openOrNull(file: string): number | null {
  try {
    // A pipe of that name must not hold the engine up.
    return openSync(file, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
    throw error;
  }
}

function syncFolder(folder: string): void {
  // Windows opens no folder.
  if (process.platform === "win32") return;
  const descriptor = openSync(folder, "r");
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
