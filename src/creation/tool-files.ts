import { lstatSync, readdirSync } from "node:fs";
import { ToolCreationError } from "../catalogue/faults.ts";
import { CREATION } from "../catalogue/texts.ts";
import { readOwnFile } from "../powers/secrets/whole-file.ts";
import { isModule } from "../registry/modules.ts";

const ENDINGS = [".ts", ".mts", ".js", ".mjs"] as const;

/** The file of a tool in a folder, whatever it is, or null where there is none. */
export function findToolFile(folder: string, name: string): string | null {
  const files = listFiles(folder);
  return ENDINGS.map((ending) => name + ending).find((file) => files.includes(file)) ?? null;
}

/** How many modules a folder holds. */
export function countModules(folder: string): number {
  return listFiles(folder).filter(isModule).length;
}

/** A tool's code. A link is not followed: what is shared is the agent's own. */
export function readToolFile(file: string, maxBytes: number): string {
  try {
    const text = readOwnFile(file, maxBytes)?.text ?? null;
    if (text !== null) return text;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === undefined) throw error;
  }
  throw new ToolCreationError("InvalidArguments", CREATION.noFile(maxBytes));
}

/** Whether the folder is there, and is one. A link in its place could lead anywhere. */
export function assertOwnFolder(folder: string): void {
  if (lstatSync(folder).isDirectory()) return;
  throw new ToolCreationError("PermissionDenied", CREATION.linkedFolder);
}

function listFiles(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT" || code === "ENOTDIR") return [];
    throw new ToolCreationError("PermissionDenied", CREATION.unreadable(code ?? "unknown error"));
  }
}
