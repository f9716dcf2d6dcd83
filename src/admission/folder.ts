import { opendirSync, realpathSync, statSync, type Dir } from "node:fs";
import path from "node:path";
import { ADAPTED, ADMISSION } from "../catalogue/texts.ts";
import type { AdaptedSource } from "./adapted.ts";
import { FolderRefusal, toErrorCode } from "./faults.ts";
import { toStamp, type Stamp } from "./source-file.ts";
import { quotable } from "./visible-text.ts";

/** A capability's folder as its directory lists it; nothing in it is opened yet. */
export interface Folder {
  readonly name: string;
  /** Its real path, on the host; never shown. */
  readonly root: string;
  readonly index: string | null;
  /** Its state before it was listed: a name that comes or goes changes it. */
  readonly stamp: Stamp;
  /** Sorted, so that the same folder reads the same everywhere. */
  readonly toolFiles: readonly string[];
}

export const FOLDER_NAME = /^[a-z][a-z0-9_-]{1,39}$/;
export const TOOL_FILE = /^[^._].*\.(?:ts|mts|js|mjs)$/;
const INDEX_FILE = /^index\.(?:ts|mts|js|mjs)$/;
export const DECLARATION_FILE = /\.d\.m?ts$/;
/** What `toolcell test` runs, and nobody calls. */
export const TEST_FILE = /\.test\.(?:ts|mts|js|mjs)$/;

export const TAKEN_NAMES: ReadonlySet<string> = new Set([
  "filesystem",
  "shell",
  "http",
  "application",
  "delegation",
  "journal",
  "knowledge",
  "planning",
]);

/** Lists the folder, or throws FolderRefusal for what is wrong with it as a whole. */
export function listFolder(folder: string, isShipped: boolean, toolCount: number): Folder {
  const name = toFolderName(folder);
  const { root, stamp } = toRoot(folder, name);
  if (!FOLDER_NAME.test(name)) throw new FolderRefusal(ADMISSION.folderName(name));
  if (!isShipped && TAKEN_NAMES.has(name)) throw new FolderRefusal(ADMISSION.nameTaken(name));
  const { indexes, toolFiles } = listFiles(root, name, toolCount);
  const [index = null, second] = indexes;
  if (index !== null && second !== undefined) throw new FolderRefusal(ADMISSION.twoIndexes(index, second));
  if (toolFiles.length === 0) throw new FolderRefusal(ADMISSION.noToolFile(name));
  return { name, root, stamp, index, toolFiles };
}

export function toFolderName(folder: string): string {
  return path.basename(path.resolve(folder));
}

/** "weather_report" is labelled "Weather Report" where no index says otherwise. */
export function toLabel(name: string): string {
  return name
    .split(/[_-]+/)
    .filter((word) => word !== "")
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join(" ");
}

/** The files that a source of another form is read from, in the shape of a folder. Throws FolderRefusal as `listFolder` does. */
export function toAdaptedFolder({ name, root: folder, entries }: AdaptedSource, isShipped: boolean): Folder {
  const { root, stamp } = toRoot(folder, name);
  if (!FOLDER_NAME.test(name)) throw new FolderRefusal(ADAPTED.name(quotable(name)));
  if (!isShipped && TAKEN_NAMES.has(name)) throw new FolderRefusal(ADMISSION.nameTaken(name));
  return { name, root, stamp, index: null, toolFiles: [...new Set(entries.map(({ file }) => file))].sort() };
}

function toRoot(folder: string, name: string): Pick<Folder, "root" | "stamp"> {
  try {
    const root = realpathSync.native(path.resolve(folder));
    const stats = statSync(root, { bigint: true });
    if (stats.isDirectory()) return { root, stamp: toStamp(stats) };
  } catch (error) {
    const code = toErrorCode(error);
    if (code === "ENOENT" || code === "ENOTDIR") throw new FolderRefusal(ADMISSION.folderMissing(name), false);
    throw new FolderRefusal(ADMISSION.folderUnreadable(name, code), false);
  }
  throw new FolderRefusal(ADMISSION.folderIsFile(name), false);
}

function listFiles(root: string, name: string, toolCount: number): { indexes: string[]; toolFiles: string[] } {
  const indexes: string[] = [];
  const toolFiles: string[] = [];
  let directory: Dir | null = null;
  try {
    directory = opendirSync(root);
    // Entry by entry: a folder of a million files is never held whole.
    for (let entry = directory.readSync(); entry !== null; entry = directory.readSync()) {
      const { name: file } = entry;
      if (!TOOL_FILE.test(file) || DECLARATION_FILE.test(file) || TEST_FILE.test(file)) continue;
      if (INDEX_FILE.test(file)) indexes.push(file);
      else if (toolFiles.push(file) > toolCount) throw new FolderRefusal(ADMISSION.toolCount(toolCount));
    }
  } catch (error) {
    if (error instanceof FolderRefusal) throw error;
    throw new FolderRefusal(ADMISSION.folderUnreadable(name, toErrorCode(error)), false);
  } finally {
    directory?.closeSync();
  }
  return { indexes: indexes.sort(), toolFiles: toolFiles.sort() };
}
