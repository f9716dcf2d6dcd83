import { hash } from "node:crypto";
import { closeSync, constants, fstatSync, openSync, readlinkSync, readSync, realpathSync, type BigIntStats } from "node:fs";
import path from "node:path";
import { ADMISSION } from "../catalogue/texts.ts";
import { FileFault, toErrorCode } from "./faults.ts";

export interface SourceFile {
  /** Where the bytes came from once links are followed, relative to the folder, with "/". */
  readonly file: string;
  readonly bytes: Uint8Array;
  readonly sha256: string;
  readonly stamp: Stamp;
}

/** Which file it was and in which state: whoever writes to it changes at least one of these, unless both fall into one tick. */
export interface Stamp {
  readonly dev: bigint;
  readonly ino: bigint;
  readonly size: bigint;
  readonly mtimeNs: bigint;
  readonly ctimeNs: bigint;
}

const OPEN_FLAGS = constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW;

/*
 * These calls wait for the disk. They run in a thread of the pool, where nothing else is kept waiting, and take an eighth
 * of the time that promises take for the thousands of small files that a package has.
 */

/**
 * Reads one file of a stranger's folder: only a regular file, only inside the folder once every link is followed, never
 * more than `maxBytes`. `root` is the folder's real path. A FIFO or a device is opened without waiting and turned away.
 */
export function readSourceFile(root: string, file: string, maxBytes: number, toError: (size: number) => Error): SourceFile {
  const { descriptor, real } = openDirectly(root, file) ?? openThroughLinks(root, file);
  try {
    const stats = fstatSync(descriptor, { bigint: true });
    if (!stats.isFile()) throw new FileFault(ADMISSION.fileNotRegular(kindOf(stats)), null, false);
    const size = Number(stats.size);
    if (size > maxBytes) throw toError(size);
    const bytes = readWhole(descriptor, size);
    const sha256 = hash("sha256", bytes);
    return { file: toRelative(root, real), bytes, sha256, stamp: toStamp(stats) };
  } finally {
    closeSync(descriptor);
  }
}

export function toStamp({ dev, ino, size, mtimeNs, ctimeNs }: BigIntStats): Stamp {
  return { dev, ino, size, mtimeNs, ctimeNs };
}

interface Opened {
  readonly descriptor: number;
  readonly real: string;
}

/** Most files are what their path says, and Linux tells so after the fact: then nothing has to be resolved before. */
function openDirectly(root: string, file: string): Opened | null {
  // Below a folder that is a link, opening alone could already reach a device.
  if (process.platform !== "linux" || file.includes("/")) return null;
  const real = path.join(root, file);
  let descriptor: number;
  try {
    descriptor = openSync(real, OPEN_FLAGS);
  } catch {
    // Whatever is wrong with it is found again, and put into words, on the way that every file can take.
    return null;
  }
  if (isInside(root, real) && isAt(descriptor, real)) return { descriptor, real };
  closeSync(descriptor);
  return null;
}

function openThroughLinks(root: string, file: string): Opened {
  const real = toRealPath(root, file);
  const descriptor = openWithoutWaiting(real);
  // A folder on the way may have been swapped for a link since its path was resolved.
  if (process.platform !== "linux" || isAt(descriptor, real)) return { descriptor, real };
  closeSync(descriptor);
  throw new FileFault(ADMISSION.fileChanged, null, false);
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
    return openSync(real, OPEN_FLAGS);
  } catch (error) {
    const code = toErrorCode(error);
    // A socket cannot be opened at all: ENXIO on Linux, EOPNOTSUPP elsewhere.
    if (code === "ENXIO" || code === "EOPNOTSUPP") throw new FileFault(ADMISSION.fileNotRegular("socket"), null, false);
    throw new FileFault(code === "ENOENT" ? ADMISSION.fileMissing : ADMISSION.fileUnreadable(code), null, false);
  }
}

/** Linux says what was really opened. */
function isAt(descriptor: number, real: string): boolean {
  try {
    return readlinkSync(`/proc/self/fd/${descriptor}`) === real;
  } catch {
    return false;
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

function kindOf(stats: BigIntStats): string {
  if (stats.isDirectory()) return "folder";
  if (stats.isFIFO()) return "named pipe";
  if (stats.isSocket()) return "socket";
  return "device";
}
