import { randomUUID } from "node:crypto";
import { constants } from "node:fs";
import { FILES } from "../../catalogue/texts.ts";
import { denied, overLimit } from "../power.ts";
import type { Budget } from "./budget.ts";
import { createContent } from "./entry.ts";
import { assertGoingOn, failure } from "./errors.ts";
import { assertReadable, openFile } from "./read.ts";
import { assertMayChange } from "./rules.ts";
import { fchmod, fstat, read, rename, unlink, writeAll, type Descriptor, type Stats } from "./system.ts";
import type { Spot } from "./walk.ts";

export interface WriteLimits {
  readonly fileBytes: number;
}

/** Told just before the first step that cannot be taken back. */
export interface Change {
  readonly signal: AbortSignal;
  begin(): void;
}

const CHUNK_BYTES = 1024 * 1024;

/** Puts bytes in a file's place as a whole: who reads it meanwhile reads all of the old or all of the new. */
export async function writeFile(spot: Spot, bytes: Buffer, isNew: boolean, limits: WriteLimits, change: Change): Promise<void> {
  assertFileChange(spot);
  assertSize(spot, bytes.length, limits);
  await place(spot, isNew, change, async ({ fd }) => {
    await writeAll(fd, bytes);
    return bytes.length;
  });
}

/** Adds bytes to a file's end, or makes it. */
export async function appendFile(spot: Spot, bytes: Buffer, limits: WriteLimits, change: Change): Promise<void> {
  assertFileChange(spot);
  const { root, names, found } = spot;
  if (found === null) return await writeFile(spot, bytes, true, limits, change);
  await using content = await openFile(spot, found, constants.O_WRONLY | constants.O_APPEND);
  const size = Number((await fstat(content.fd)).size) + bytes.length;
  assertSize(spot, size, limits);
  change.begin();
  await writeAll(content.fd, bytes);
  root.made?.add(names, found.stats, size);
}

/** Copies one file's content; the target is replaced as a whole. */
export async function copyFile(
  from: Spot,
  to: Spot,
  isNew: boolean,
  { fileBytes }: WriteLimits,
  budget: Budget,
  change: Change,
): Promise<void> {
  if (from.found === null) throw failure("ENOENT", from.shown);
  assertReadable(from);
  assertFileChange(to);
  assertSize(to, Number(from.found.stats.size), { fileBytes });
  await using source = await openFile(from, from.found, constants.O_RDONLY);
  await place(to, isNew, change, async (target) =>
    budget.hold(CHUNK_BYTES, async () => {
      const buffer = Buffer.allocUnsafeSlow(CHUNK_BYTES);
      let size = 0;
      for (let count = await read(source.fd, buffer, 0, 0); count > 0; count = await read(source.fd, buffer, 0, size)) {
        assertGoingOn(change.signal);
        size += count;
        assertSize(to, size, { fileBytes });
        await writeAll(target.fd, buffer.subarray(0, count));
      }
      return size;
    }),
  );
}

function assertFileChange(spot: Spot): void {
  const { root, names, found, isThroughLink, isInCode, isFolder, shown } = spot;
  assertMayChange(root, names, found?.stats ?? null, isInCode);
  // What a link names and what is not there would come to be by writing: whoever set the link would choose where.
  if (found === null && isThroughLink) throw denied(FILES.danglingLink);
  if (found === null && isFolder) throw failure("EISDIR", shown);
  assertReadable(spot);
  // Replacing a file asks nothing of the file itself: who made it unwritable meant it.
  if (found !== null && (found.stats.mode & 0o222n) === 0n) throw failure("EACCES", shown);
}

function assertSize({ root, names }: Spot, bytes: number, { fileBytes }: WriteLimits): void {
  if (bytes > fileBytes) throw overLimit(FILES.fileBytes(fileBytes));
  root.made?.assertRoom(names, bytes);
}

async function place(
  { root, parent, names, found, shown }: Spot,
  isNew: boolean,
  change: Change,
  fill: (target: Descriptor) => Promise<number>,
): Promise<void> {
  if (parent === null) throw failure("EISDIR", shown);
  if (isNew && found !== null) throw failure("EEXIST", shown);
  const target = `${parent.path}/${names.at(-1) ?? ""}`;
  // Only one that was not there is filled under its own name: replacing would not notice one that has come to be.
  const filled = isNew ? target : `${parent.path}/.toolcell-${randomUUID()}.tmp`;
  await parent.verify();
  assertGoingOn(change.signal);
  if (isNew) change.begin();
  let isPlaced = false;
  let stats: Stats;
  let size: number;
  try {
    await using content = await createContent(filled, constants.O_WRONLY, root.mount === "tmp" ? 0o600 : 0o666);
    isPlaced = isNew;
    await parent.verify();
    size = await fill(content);
    if (found !== null) await fchmod(content.fd, Number(found.stats.mode & 0o777n));
    stats = await fstat(content.fd);
    assertGoingOn(change.signal);
    if (!isNew) {
      change.begin();
      await parent.verify();
      await rename(filled, target);
    }
  } catch (error) {
    if (!isNew || isPlaced) await unlink(filled).catch(() => undefined);
    throw error;
  }
  root.made?.add(names, stats, size);
}
