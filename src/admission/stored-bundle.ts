import { hash as hashOf } from "node:crypto";
import { readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { noteUse } from "./cache-use.ts";
import type { CachePlaces } from "./record-cache.ts";
import { writeWhole } from "./write-whole.ts";

export interface StoredBundle {
  readonly hash: string;
  /** Null once the cache holds it. */
  readonly text: string | null;
  /** What was written now. */
  readonly storedBytes: number;
}

/** Puts a bundle into the cache under the hash of its text; where the cache cannot be written, the text is handed back. */
export async function storeBundle(cacheDir: string, text: string): Promise<StoredBundle> {
  const hash = toHash(text);
  const file = toPath(cacheDir, hash);
  if (isWhole(file, hash)) {
    noteUse(file);
    return { hash, text: null, storedBytes: 0 };
  }
  const isStored = await writeWhole(file, text);
  return { hash, text: isStored ? null : text, storedBytes: isStored ? text.length : 0 };
}

/** Whether the cache has a bundle; whether it is whole is seen when it is asked for, and it is made again where it is not. */
export function hasBundle(place: string, hash: string, use: (file: string) => boolean): boolean {
  return use(toPath(place, hash));
}

/** The text of a bundle, or null where no place holds it whole. For the host. */
export async function readBundle({ cacheDir, shippedDir }: CachePlaces, hash: string): Promise<string | null> {
  for (const place of shippedDir === null ? [cacheDir] : [cacheDir, shippedDir]) {
    const file = toPath(place, hash);
    const text = await readFile(file, "utf8").catch(() => null);
    if (text === null || toHash(text) !== hash) continue;
    if (place === cacheDir) noteUse(file);
    return text;
  }
  return null;
}

function isWhole(file: string, hash: string): boolean {
  try {
    return toHash(readFileSync(file)) === hash;
  } catch {
    return false;
  }
}

function toPath(cacheDir: string, hash: string): string {
  return path.join(cacheDir, "bundles", `${hash}.js`);
}

function toHash(text: string | Uint8Array): string {
  return hashOf("sha256", text);
}
