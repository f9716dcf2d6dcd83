import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import path from "node:path";
import type { CachePlaces } from "./record-cache.ts";
import { writeWhole } from "./write-whole.ts";

export interface StoredBundle {
  readonly hash: string;
  /** Null once the cache holds it. */
  readonly text: string | null;
}

/** Puts a bundle into the cache under the hash of its text; where the cache cannot be written, the text is handed back. */
export function storeBundle(cacheDir: string, text: string): StoredBundle {
  const hash = toHash(text);
  const isStored = hasBundle(cacheDir, hash) || writeWhole(toPath(cacheDir, hash), text);
  return { hash, text: isStored ? null : text };
}

/** Whether the cache holds a bundle whole. For a thread of the pool: it waits for the disk. */
export function hasBundle(cacheDir: string, hash: string): boolean {
  try {
    return toHash(readFileSync(toPath(cacheDir, hash))) === hash;
  } catch {
    return false;
  }
}

/** The text of a bundle, or null where no place holds it whole. For the host. */
export async function readBundle({ cacheDir, shippedDir }: CachePlaces, hash: string): Promise<string | null> {
  for (const place of shippedDir === null ? [cacheDir] : [cacheDir, shippedDir]) {
    const text = await readFile(toPath(place, hash), "utf8").catch(() => null);
    if (text !== null && toHash(text) === hash) return text;
  }
  return null;
}

function toPath(cacheDir: string, hash: string): string {
  return path.join(cacheDir, "bundles", `${hash}.js`);
}

function toHash(text: string | Uint8Array): string {
  return createHash("sha256").update(text).digest("hex");
}
