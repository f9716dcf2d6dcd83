import { FILES } from "../../catalogue/texts.ts";
import { denied } from "../power.ts";
import { openEntry, type Entry } from "./entry.ts";
import { assertGoingOn, codeOf, failure } from "./errors.ts";
import { assertMayChange, assertMayUproot, assertOneName } from "./rules.ts";
import { identityOf, mkdir, rename } from "./system.ts";
import type { Spot } from "./walk.ts";
import type { Change } from "./write.ts";

/** Makes the one folder that a spot names. `mayBeThere`: one that is there already is as good. */
export async function makeFolder(spot: Spot, mayBeThere: boolean, change: Change): Promise<void> {
  const { root, parent, names, found, isThroughLink, isInCode, shown } = spot;
  if (found !== null) {
    if (mayBeThere && found.stats.isDirectory()) return;
    throw failure(mayBeThere ? "ENOTDIR" : "EEXIST", shown);
  }
  assertMayChange(root, names, null, isInCode);
  if (isThroughLink) throw denied(FILES.danglingLink);
  if (parent === null) throw failure("EEXIST", shown);
  root.made?.assertRoom(names, 0);
  await parent.verify();
  assertGoingOn(change.signal);
  change.begin();
  const path = `${parent.path}/${names.at(-1) ?? ""}`;
  try {
    await mkdir(path, root.mount === "tmp" ? 0o700 : 0o777);
  } catch (error) {
    if (!mayBeThere || codeOf(error) !== "EEXIST") throw error;
    return;
  }
  await using made = await openEntry(path, root.way);
  if (made?.stats.isDirectory() === true) root.made?.add(names, made.stats, 0);
}

/** Renames within one mount. What stands under the new name is replaced as the system does it: a file by a file, an empty folder by a folder. */
export async function move(from: Spot, to: Spot, change: Change): Promise<void> {
  const { root } = from;
  if (from.found === null) throw failure("ENOENT", from.shown);
  if (root.mount !== to.root.mount) throw failure("EXDEV", to.shown);
  assertMovable(from, from.found);
  assertMayChange(to.root, to.names, to.found?.stats ?? null, to.isInCode);
  if (to.found !== null) assertMovable(to, to.found);
  const isFolder = from.found.stats.isDirectory();
  if (!isFolder && (from.isFolder || to.isFolder)) throw failure("ENOTDIR", from.isFolder ? from.shown : to.shown);
  if (from.parent === null || to.parent === null) throw denied(FILES.mountItself);
  await from.parent.verify();
  await to.parent.verify();
  assertGoingOn(change.signal);
  change.begin();
  await rename(`${from.parent.path}/${from.names.at(-1) ?? ""}`, `${to.parent.path}/${to.names.at(-1) ?? ""}`);
  root.made?.move(from.names, to.names);
}

function assertMovable({ root, names, isInCode }: Spot, found: Entry): void {
  const { stats } = found;
  assertMayChange(root, names, stats, isInCode || root.guarded.isCode(identityOf(stats)));
  if (stats.isDirectory()) return assertMayUproot(root, names);
  if (stats.isSymbolicLink()) return;
  if (!stats.isFile()) throw denied(FILES.notRegular);
  assertOneName(root, names, stats);
}
