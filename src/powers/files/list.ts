import type { Dirent } from "node:fs";
import type { JsonObject } from "../../catalogue/json.ts";
import { assertGoingOn, failure } from "./errors.ts";
import { lstat, opendir, type Stats } from "./system.ts";
import type { Spot } from "./walk.ts";

type EntryType = "file" | "folder" | "link" | "other";

/** The names in a folder, sorted; `isTruncated` where there are more than were looked at. */
export async function listFolder(spot: Spot, listCount: number, signal: AbortSignal): Promise<JsonObject> {
  const { found, shown } = spot;
  if (found === null) throw failure("ENOENT", shown);
  if (!found.stats.isDirectory()) throw failure("ENOTDIR", shown);
  const entries: { readonly name: string; readonly type: EntryType }[] = [];
  let isTruncated = false;
  await found.verify();
  for await (const entry of await opendir(found.path)) {
    assertGoingOn(signal);
    if (entries.length === listCount) {
      isTruncated = true;
      break;
    }
    entries.push({ name: entry.name, type: await typeOfDirent(found.path, entry) });
  }
  await found.verify();
  return { entries: entries.sort((a, b) => (a.name < b.name ? -1 : 1)), isTruncated };
}

/** What is told of a file: nothing of owners, devices or inodes. */
export function describeEntry({ found, shown, isFolder }: Spot): JsonObject {
  if (found === null) throw failure("ENOENT", shown);
  if (isFolder && !found.stats.isDirectory()) throw failure("ENOTDIR", shown);
  const { size, mtimeMs, birthtimeMs } = found.stats;
  return { type: typeOf(found.stats), size: Number(size), modifiedMs: Number(mtimeMs), createdMs: Number(birthtimeMs) };
}

function typeOf(entry: Stats | Dirent): EntryType {
  if (entry.isFile()) return "file";
  if (entry.isDirectory()) return "folder";
  return entry.isSymbolicLink() ? "link" : "other";
}

// Some file systems do not say what an entry is until it is asked for itself.
async function typeOfDirent(folder: string, entry: Dirent): Promise<EntryType> {
  const type = typeOf(entry);
  if (type !== "other") return type;
  const stats = await lstat(`${folder}/${entry.name}`).catch(() => null);
  return stats === null ? "other" : typeOf(stats);
}
