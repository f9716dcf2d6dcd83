import { readdir } from "node:fs/promises";
import { basename, join, resolve } from "node:path";
import { DECLARATION_FILE, FOLDER_NAME, TEST_FILE, TOOL_FILE } from "../admission/folder.ts";
import { quotable } from "../admission/visible-text.ts";
import { ADAPTED } from "../catalogue/texts.ts";
import { skip, type Finding, type FindingLimits, type FoundFolder, type Root, type Skipped } from "./found.ts";

/** The tool modules of one tier: each file is one, and its name is the file's. Never rejects. */
export async function findModules(root: Root, { moduleCount }: FindingLimits): Promise<Finding> {
  let all: string[];
  try {
    all = (await readdir(root.path)).filter(isModule).sort();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (root.isOptional && code === "ENOENT") return { folders: [], skipped: [] };
    return { folders: [], skipped: [skip(tierOf(root), basename(root.path), code)] };
  }
  const files = all.slice(0, moduleCount);
  const folders: FoundFolder[] = [];
  const skipped = skippedOver(root, all.slice(moduleCount), moduleCount);
  for (const [name, [file = "", second]] of Map.groupBy(files, toName)) {
    if (FOLDER_NAME.test(name)) folders.push(toFound(root, name, file, second ?? null));
    else skipped.push({ source: tierOf(root), name: quotable(file), reason: ADAPTED.name(quotable(name)) });
  }
  return { folders, skipped };
}

// A million files are no reason for a million lines.
const SHOWN_OVER = 100;

function skippedOver(root: Root, files: readonly string[], limit: number): Skipped[] {
  const shown = files
    .slice(0, SHOWN_OVER)
    .map((file) => ({ source: tierOf(root), name: toName(file), reason: ADAPTED.moduleCount(limit) }));
  const more = files.length - shown.length;
  return more === 0 ? shown : [...shown, { source: tierOf(root), name: basename(root.path), reason: ADAPTED.moduleCountMore(more, limit) }];
}

/** Whether a file of such a folder is taken for a module, by its name. */
export function isModule(file: string): boolean {
  return TOOL_FILE.test(file) && !DECLARATION_FILE.test(file) && !TEST_FILE.test(file);
}

function toName(file: string): string {
  return file.slice(0, file.lastIndexOf("."));
}

function toFound(root: Root, name: string, file: string, second: string | null): FoundFolder {
  return {
    path: join(root.path, file),
    isShipped: root.isShipped,
    // Which file it is makes no difference: it is read whenever anything in its folder has changed.
    identity: file,
    source: tierOf(root),
    adapted: {
      kind: "module",
      name,
      root: resolve(root.path),
      fence: null,
      entries: [{ file, label: file, exportName: null, key: name }],
      manifest: null,
    },
    refused: second === null ? null : ADAPTED.twoFiles(file, second),
  };
}

function tierOf({ tier }: Root): string {
  return tier ?? "module";
}
