import { constants } from "node:fs";
import { codeOf, failure } from "./errors.ts";
import { Descriptor, fstat, identityOf, lstat, realpath, type Stats } from "./system.ts";

/**
 * One file, folder or link that was opened, not merely named: what is checked on it is true of what is then used.
 *
 * On Linux it is held by a descriptor that gives no access yet (O_PATH), and everything below it is reached through
 * `/proc/self/fd/<descriptor>/<name>`, which is what openat does: whoever renames a folder or puts a link in its place
 * meanwhile changes nothing for us.
 *
 * Elsewhere the path is the real one, and it is looked at again after each step that went by it. That is weaker: a change
 * made and undone between two looks is not seen.
 */
export interface Entry extends AsyncDisposable {
  readonly stats: Stats;
  /** Leads to this very entry. For a folder, `${path}/${name}` leads into it. */
  readonly path: string;
  /** Throws where the path has come to lead elsewhere. */
  verify(): Promise<void>;
}

export type Way = "descriptors" | "paths";

/** The way that this system allows. */
export const SYSTEM_WAY: Way = process.platform === "linux" ? "descriptors" : "paths";

// Node gives no name to it; the number is the same on every Linux architecture that Node runs on.
const O_PATH = 0o10000000;
const NOFOLLOW = constants.O_NOFOLLOW ?? 0;
// A FIFO must not hold a thread until somebody writes to it, and no terminal becomes ours.
const CAREFUL = NOFOLLOW | (constants.O_NONBLOCK ?? 0) | (constants.O_NOCTTY ?? 0);

/** Opens what a path of ours leads to, never following a link at its end. Null where there is nothing. */
export async function openEntry(path: string, way: Way): Promise<Entry | null> {
  try {
    return way === "descriptors" ? await byDescriptor(path) : await byPath(path);
  } catch (error) {
    if (codeOf(error) === "ENOENT") return null;
    throw error;
  }
}

/** Opens the content of a regular file that is held already. Throws where it is no longer that file. */
export async function openContent(entry: Entry, flags: number, way: Way): Promise<Descriptor> {
  // Through a descriptor's own link there is nothing to be led astray by, and O_NOFOLLOW would refuse that link itself.
  const descriptor = await Descriptor.open(entry.path, way === "descriptors" ? flags | (CAREFUL & ~NOFOLLOW) : flags | CAREFUL);
  try {
    const stats = await fstat(descriptor.fd);
    if (identityOf(stats) !== identityOf(entry.stats) || !stats.isFile()) throw changed();
    await entry.verify();
    return descriptor;
  } catch (error) {
    await descriptor[Symbol.asyncDispose]();
    throw error;
  }
}

/** Makes a file that was not there. What it is named by must be a folder's path and one name. */
export async function createContent(path: string, flags: number, mode: number): Promise<Descriptor> {
  return await Descriptor.open(path, flags | constants.O_CREAT | constants.O_EXCL | CAREFUL, mode);
}

async function byDescriptor(path: string): Promise<Entry> {
  const descriptor = await Descriptor.open(path, O_PATH | NOFOLLOW);
  try {
    const stats = await fstat(descriptor.fd);
    return {
      stats,
      path: `/proc/self/fd/${descriptor.fd}`,
      verify: () => Promise.resolve(),
      [Symbol.asyncDispose]: () => descriptor[Symbol.asyncDispose](),
    };
  } catch (error) {
    await descriptor[Symbol.asyncDispose]();
    throw error;
  }
}

async function byPath(path: string): Promise<Entry> {
  const stats = await lstat(path);
  async function verify(): Promise<void> {
    const isSame = identityOf(await lstat(path)) === identityOf(stats);
    if (!isSame || (!stats.isSymbolicLink() && (await realpath(path)) !== path)) throw changed();
  }
  return { stats, path, verify, [Symbol.asyncDispose]: () => Promise.resolve() };
}

function changed(): Error {
  return failure("EAGAIN", "");
}
