import { GUEST } from "../../src/catalogue/texts.ts";
import type { ToolFileEntry, ToolFileStats } from "../types.ts";
import { GuestError, create, define, freeze, hasOwn } from "./intrinsics.ts";
import { PowerError } from "./powers.ts";

const GuestDate = Date;
const GuestBigInt = BigInt;
const round = Math.round;

// Node's own words for what the system says; its number for each, which is the same on Linux everywhere.
const WORDS: Readonly<Record<string, readonly [number, string]>> = freeze({
  ENOENT: [-2, "no such file or directory"],
  EIO: [-5, "i/o error"],
  EAGAIN: [-11, "resource temporarily unavailable"],
  EACCES: [-13, "permission denied"],
  EPERM: [-1, "operation not permitted"],
  EBUSY: [-16, "resource busy or locked"],
  EEXIST: [-17, "file already exists"],
  EXDEV: [-18, "cross-device link not permitted"],
  ENOTDIR: [-20, "not a directory"],
  EISDIR: [-21, "illegal operation on a directory"],
  EINVAL: [-22, "invalid argument"],
  EMFILE: [-24, "too many open files"],
  ENOSPC: [-28, "no space left on device"],
  EROFS: [-30, "read-only file system"],
  ENAMETOOLONG: [-36, "name too long"],
  ENOTEMPTY: [-39, "directory not empty"],
  ELOOP: [-40, "too many symbolic links encountered"],
  EDQUOT: [-122, "disk quota exceeded"],
} as const);

/**
 * An error of the host's as Node would throw it: `code`, `errno`, `syscall`, `path` and `dest`. A refusal of the owner's is EACCES
 * here and keeps its words, and still ends an uncaught call as what it is.
 */
export function shownAs(error: unknown, syscall: string, path: string, dest: string | undefined): unknown {
  if (typeof error !== "object" || error === null) return error;
  const told = PowerError.told(error);
  const code = told?.code === "PERMISSION_DENIED" ? "EACCES" : (error as { code?: unknown }).code;
  if (typeof code !== "string") return error;
  const words = hasOwn(WORDS, code) ? WORDS[code] : undefined;
  if (told !== null || words === undefined) {
    define(error, "code", code);
    if (words !== undefined) define(error, "errno", words[0]);
  } else {
    const shown = dest === undefined ? `'${path}'` : `'${path}' -> '${dest}'`;
    define(error, "message", `${code}: ${words[1]}, ${syscall} ${shown}`);
    define(error, "errno", words[0]);
  }
  define(error, "syscall", syscall);
  define(error, "path", path);
  if (dest !== undefined) define(error, "dest", dest);
  return error;
}

/** What Node's Stats tells, as far as the host tells it: owners, devices and inodes are all 0. */
export function statsOf({ type, size, modifiedMs, createdMs }: ToolFileStats, isBig: boolean): object {
  const stats = create(ObjectLike);
  const number = (value: number) => (isBig ? GuestBigInt(round(value)) : value);
  for (const name of ["dev", "ino", "uid", "gid", "rdev"] as const) stats[name] = number(0);
  stats["mode"] = number(MODES[type]);
  stats["nlink"] = number(1);
  stats["size"] = number(size);
  stats["blksize"] = number(4096);
  stats["blocks"] = number(round(size / 512 + 0.49));
  const times = { atime: modifiedMs, mtime: modifiedMs, ctime: modifiedMs, birthtime: createdMs };
  for (const name of ["atime", "mtime", "ctime", "birthtime"] as const) {
    stats[`${name}Ms`] = number(times[name]);
    if (isBig) stats[`${name}Ns`] = GuestBigInt(round(times[name])) * 1_000_000n;
    stats[name] = new GuestDate(times[name]);
  }
  return withType(stats, type);
}

export function direntOf({ name, type }: ToolFileEntry, folder: string): object {
  const entry = create(ObjectLike);
  entry["name"] = name;
  entry["parentPath"] = folder;
  return withType(entry, type);
}

/** Thrown for what a sealed tool cannot have, by the name of the option that asks for it. */
export function notAvailable(option: string): Error {
  const error = new GuestError(GUEST.fileOption(option));
  define(error, "code", "ERR_METHOD_NOT_IMPLEMENTED");
  return error;
}

const ObjectLike = Object.prototype;
const MODES = { file: 0o100644, folder: 0o040755, link: 0o120777, other: 0 } as const;

function withType(shape: Record<string, unknown>, type: ToolFileStats["type"]): object {
  define(shape, "isFile", () => type === "file");
  define(shape, "isDirectory", () => type === "folder");
  define(shape, "isSymbolicLink", () => type === "link");
  for (const name of ["isFIFO", "isSocket", "isBlockDevice", "isCharacterDevice"]) define(shape, name, () => false);
  return shape;
}
