import { access, constants, realpath, stat } from "node:fs/promises";
import { delimiter, isAbsolute, join, relative, sep } from "node:path";
import { PROCESS } from "../../catalogue/texts.ts";
import { denied, PowerError, type Places } from "../power.ts";

export interface Program {
  /** Absolute and without links. */
  readonly file: string;
  /** The folder of the PATH in which it was found. */
  readonly folder: string;
}

const NAME = /^[A-Za-z0-9][A-Za-z0-9._+-]{0,63}$/u;
// A `.cmd` or `.bat` is run by a shell, which reads its arguments anew.
const SUFFIXES = process.platform === "win32" ? [".exe", ".com"] : [""];

export function isProgramName(name: unknown): name is string {
  return typeof name === "string" && NAME.test(name);
}

/**
 * The program of that name on the owner's PATH, looked up for every use. What stands in a folder that tools can write to is
 * passed over, be it the file, the folder of the PATH or what a link leads to: a tool must not make its own program.
 */
export async function findProgram(name: string, places: Places): Promise<Program> {
  const writable = await Promise.all([places.workspace, places.home, places.capability, places.temp].map(realPathOr));
  let wasInside = false;
  for (const entry of (process.env["PATH"] ?? "").split(delimiter)) {
    if (!isAbsolute(entry)) continue;
    for (const suffix of SUFFIXES) {
      const found = await executable(entry, name + suffix);
      if (found === null) continue;
      if (!writable.some((root) => isWithin(found.file, root) || isWithin(found.folder, root))) return found;
      wasInside = true;
    }
  }
  throw wasInside ? denied(PROCESS.inside(name)) : new PowerError("ENOENT", PROCESS.notFound(name));
}

/** Whether a real path is `root` or something in it. */
export function isWithin(path: string, root: string): boolean {
  const rest = relative(root, path);
  return rest === "" || (rest !== ".." && !rest.startsWith(`..${sep}`) && !isAbsolute(rest));
}

async function executable(entry: string, name: string): Promise<Program | null> {
  try {
    const [folder, file] = await Promise.all([realpath(entry), realpath(join(entry, name))]);
    if (!(await stat(file)).isFile()) return null;
    await access(file, constants.X_OK);
    return { file, folder };
  } catch {
    return null;
  }
}

async function realPathOr(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch {
    return path;
  }
}
