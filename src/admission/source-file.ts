import { createHash } from "node:crypto";
import { closeSync, constants, fstatSync, openSync, readlinkSync, readSync, realpathSync, type Stats } from "node:fs";
import path from "node:path";
import { ADMISSION } from "../catalogue/texts.ts";
import { FileFault, toErrorCode } from "./faults.ts";

export interface SourceFile {
  /** Where the bytes came from once links are followed, relative to the folder, with "/". */
  readonly file: string;
  readonly bytes: Uint8Array;
  readonly sha256: string;
}

/*
 * These calls wait for the disk. They run in a thread of the pool, where nothing else is kept waiting, and take an eighth
 * of the time that promises take for the thousands of small files that a package has.
 */

/**
 * Reads one file of a stranger's folder: only a regular file, only inside the folder once every link is followed, never
 * more than `maxBytes`. `root` is the folder's real path. A FIFO or a device is opened without waiting and turned away.
 */
export function readSourceFile(root: string, file: string, maxBytes: number, toError: (size: number) => Error): SourceFile {
  const real = toRealPath(root, file);
  const descriptor = openWithoutWaiting(real);
  try {
    const stats = fstatSync(descriptor);
    if (!stats.isFile()) throw new FileFault(ADMISSION.fileNotRegular(kindOf(stats)), null, false);
    assertStillAt(descriptor, real);
    if (stats.size > maxBytes) throw toError(stats.size);
    const bytes = readWhole(descriptor, stats.size);
    return { file: toRelative(root, real), bytes, sha256: createHash("sha256").update(bytes).digest("hex") };
  } finally {
    closeSync(descriptor);
  }
}

function toRelative(root: string, real: string): string {
  return path.relative(root, real).split(path.sep).join("/");
}

function isInside(root: string, real: string): boolean {
  const relative = path.relative(root, real);
  return relative !== "" && relative !== ".." && !relative.startsWith(`..${path.sep}`) && !path.isAbsolute(relative);
}

function toRealPath(root: string, file: string): string {
  let real: string;
  try {
    real = realpathSync.native(path.join(root, file));
  } catch (error) {
    const code = toErrorCode(error);
    if (code === "ELOOP") throw new FileFault(ADMISSION.fileLoop, null, false);
    if (code === "ENOENT" || code === "ENOTDIR") throw new FileFault(ADMISSION.fileMissing, null, false);
    throw new FileFault(ADMISSION.fileUnreadable(code), null, false);
  }
  if (!isInside(root, real)) throw new FileFault(ADMISSION.fileOutside, null, false);
  return real;
}

function openWithoutWaiting(real: string): number {
  try {
    return openSync(real, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW);
  } catch (error) {
    const code = toErrorCode(error);
    // A socket cannot be opened at all: ENXIO on Linux, EOPNOTSUPP elsewhere.
    if (code === "ENXIO" || code === "EOPNOTSUPP") throw new FileFault(ADMISSION.fileNotRegular("socket"), null, false);
    throw new FileFault(code === "ENOENT" ? ADMISSION.fileMissing : ADMISSION.fileUnreadable(code), null, false);
  }
}

/** A folder on the way may have been swapped for a link since its path was resolved: Linux says what was really opened. */
function assertStillAt(descriptor: number, real: string): void {
  if (process.platform === "linux" && readlinkSync(`/proc/self/fd/${descriptor}`) !== real) {
    throw new FileFault(ADMISSION.fileChanged, null, false);
  }
}

/** A file that has another size than it said is being written to: half of two versions is neither. */
function readWhole(descriptor: number, size: number): Uint8Array {
  const buffer = new Uint8Array(size + 1);
  let length = 0;
  while (length < buffer.length) {
    const count = readSync(descriptor, buffer, length, buffer.length - length, length);
    if (count === 0) break;
    length += count;
  }
  if (length !== size) throw new FileFault(ADMISSION.fileChanged, null, false);
  return buffer.subarray(0, size);
}

function kindOf(stats: Stats): string {
  if (stats.isDirectory()) return "folder";
  if (stats.isFIFO()) return "named pipe";
  if (stats.isSocket()) return "socket";
  return "device";
}
