import { isUtf8 } from "node:buffer";
import { constants } from "node:fs";
import { FILES } from "../../catalogue/texts.ts";
import { denied, overLimit, type PowerAnswer } from "../power.ts";
import type { Budget } from "./budget.ts";
import { openContent, type Entry } from "./entry.ts";
import { assertGoingOn, failure } from "./errors.ts";
import { assertOneName } from "./rules.ts";
import { identityOf, lstat, read, type Descriptor } from "./system.ts";
import type { Spot } from "./walk.ts";

export interface Range {
  readonly start: number;
  /** Null: to the end. */
  readonly length: number | null;
}

export interface ReadLimits {
  readonly readBytes: number;
}

const FIRST_BYTES = 64 * 1024;

/** A file's bytes, or a part of them. What is counted is what was read, not what the file claimed to hold. */
export async function readBytes(
  spot: Spot,
  range: Range,
  { readBytes: most }: ReadLimits,
  budget: Budget,
  signal: AbortSignal,
): Promise<Buffer> {
  const { found } = spot;
  if (found === null) throw failure("ENOENT", spot.shown);
  assertReadable(spot);
  if (range.length !== null && range.length > most) throw overLimit(FILES.readBytes(most));
  const wanted = range.length ?? most + 1;
  const left = Number(found.stats.size) - range.start;
  return await budget.hold(Math.min(wanted, Math.max(left, FIRST_BYTES)), async () => {
    assertGoingOn(signal);
    await using content = await openFile(spot, found, constants.O_RDONLY);
    // One byte more than it claims to have: the end is then seen without another buffer.
    let buffer = Buffer.allocUnsafeSlow(Math.min(wanted, Math.max(left + 1, 1)));
    let size = 0;
    for (;;) {
      const count = await read(content.fd, buffer, size, range.start + size);
      assertGoingOn(signal);
      size += count;
      if (count === 0 || size === wanted) break;
      if (size === buffer.length) {
        const larger = Buffer.allocUnsafeSlow(Math.min(wanted, Math.max(size * 2, FIRST_BYTES)));
        buffer.copy(larger, 0, 0, size);
        buffer = larger;
      }
    }
    if (size > most) throw overLimit(FILES.readBytes(most));
    return buffer.subarray(0, size);
  });
}

/**
 * Bytes as a text, invalid ones as U+FFFD. It crosses as Latin-1 where that holds it, and then is the guest's text as it arrives;
 * else as UTF-8 that is known to be valid.
 */
export function toTextAnswer(bytes: Buffer): PowerAnswer {
  const isValid = isUtf8(bytes);
  const text = bytes.toString("utf8");
  if (WITHIN_LATIN1.test(text)) return { value: { encoding: "latin1" }, bytes: Buffer.from(text, "latin1") };
  return { value: { encoding: "utf8" }, bytes: isValid ? bytes : Buffer.from(text, "utf8") };
}

const WITHIN_LATIN1 = /^[\u0000-\u00ff]*$/u;

/**
 * Opens what was found at a spot, which must still be all that there is of it. A file from outside may be given a name in here,
 * be opened, and lose that name before its names are counted; asked by its name for both, which file it is and how many names
 * it has, the system answers for one moment, and a file that has only this one is not outside.
 */
export async function openFile({ root, parent, names, shown }: Spot, found: Entry, flags: number): Promise<Descriptor> {
  if (parent === null) throw failure("EISDIR", shown);
  const content = await openContent(found, flags, root.way);
  try {
    const now = await lstat(`${parent.path}/${names.at(-1) ?? ""}`).catch(() => null);
    if (now === null || identityOf(now) !== identityOf(found.stats)) throw failure("EAGAIN", shown);
    assertOneName(root, names, now);
    return content;
  } catch (error) {
    await content[Symbol.asyncDispose]();
    throw error;
  }
}

/** Throws where it is no regular file, or one that may stand outside as well. */
export function assertReadable({ root, names, found, isFolder, shown }: Spot): void {
  if (found === null) return;
  const { stats } = found;
  if (stats.isDirectory()) throw failure("EISDIR", shown);
  if (isFolder) throw failure("ENOTDIR", shown);
  if (!stats.isFile()) throw denied(FILES.notRegular);
  assertOneName(root, names, stats);
}
