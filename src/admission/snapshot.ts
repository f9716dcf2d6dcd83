import { statSync } from "node:fs";
import path from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { isStillMissing } from "./absence.ts";
import { FileFault, FolderRefusal } from "./faults.ts";
import type { Folder } from "./folder.ts";
import type { Inputs } from "./inputs.ts";
import { readSourceFile, toStamp, type Stamp } from "./source-file.ts";

/**
 * File systems keep times in ticks of up to 10 ms: a second write within one leaves no other trace. So where something
 * was as young as this when it was read, its contents are read once more when it no longer is, and they decide.
 */
const YOUNG_MS = 20;
/** Some keep whole seconds, or two. */
const COARSE_MS = 2000;
const NS_PER_MS = 1_000_000n;
const GONE = new FileFault("");

/**
 * Whether everything that was read is still what it was: then all of it stood there at one moment, and no version was
 * mixed with another. `list` lists the folder anew; it may throw what listing throws.
 */
export async function isOneMoment(folder: Folder, inputs: Inputs, list: () => Folder): Promise<boolean> {
  if (inputs.isTorn() || !isAsRead(inputs)) return false;
  // Where something came or went it need not be one of those that are read.
  if (!isSame(folder.stamp, stampOf(folder.root)) && !hasSameNames(folder, list)) return false;
  const changedNs = lastChangeNs(folder, inputs);
  const changedMs = Number(changedNs / NS_PER_MS);
  const isWholeSecond = changedNs % (1000n * NS_PER_MS) === 0n;
  if (inputs.openedMs - changedMs >= (isWholeSecond ? COARSE_MS : YOUNG_MS)) return true;
  // A time to come, from a clock that is not ours, is waited for no longer than one of now.
  const waitMs = Math.min(YOUNG_MS, changedMs + YOUNG_MS - Date.now());
  if (waitMs > 0) await pause(waitMs);
  return hasSameContents(inputs) && isAsRead(inputs) && hasSameNames(folder, list);
}

function isAsRead(inputs: Inputs): boolean {
  for (const [file, stamp] of inputs.stamps()) if (!isSame(stamp, stampOf(path.join(inputs.root, file)))) return false;
  return inputs.missing().every((file) => isStillMissing(path.join(inputs.root, file)));
}

function stampOf(file: string): Stamp | null {
  try {
    return toStamp(statSync(file, { bigint: true }));
  } catch {
    return null;
  }
}

function isSame(left: Stamp | null, right: Stamp | null): boolean {
  if (left === null || right === null) return left === right;
  return (
    left.ino === right.ino &&
    left.dev === right.dev &&
    left.size === right.size &&
    left.mtimeNs === right.mtimeNs &&
    left.ctimeNs === right.ctimeNs
  );
}

function hasSameNames(before: Folder, list: () => Folder): boolean {
  try {
    const { root, index, toolFiles } = list();
    return root === before.root && index === before.index && toolFiles.join("/") === before.toolFiles.join("/");
  } catch (error) {
    if (error instanceof FolderRefusal) return false;
    throw error;
  }
}

/** When anything that was read was last changed; nobody but the system sets that time. */
function lastChangeNs(folder: Folder, inputs: Inputs): bigint {
  let last = folder.stamp.ctimeNs;
  for (const stamp of inputs.stamps().values()) if (stamp !== null && stamp.ctimeNs > last) last = stamp.ctimeNs;
  return last;
}

function hasSameContents(inputs: Inputs): boolean {
  const stamps = inputs.stamps();
  try {
    return inputs.list().every(({ path: file, file: real, sha256 }) => {
      const source = readSourceFile(inputs.root, file, Number(stamps.get(file)?.size ?? 0), () => GONE);
      return source.file === real && source.sha256 === sha256;
    });
  } catch (error) {
    if (error instanceof FileFault) return false;
    throw error;
  }
}
