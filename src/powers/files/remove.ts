import { FILES } from "../../catalogue/texts.ts";
import { denied } from "../power.ts";
import { openEntry, type Entry } from "./entry.ts";
import { assertGoingOn, failure } from "./errors.ts";
import { assertMayChange, assertMayUproot } from "./rules.ts";
import { identityOf, opendir, rmdir, unlink } from "./system.ts";
import type { Spot } from "./walk.ts";
import type { Change } from "./write.ts";

// Each level holds a descriptor open.
const DEPTH_COUNT = 256;

export interface RemoveOptions {
  readonly isRecursive: boolean;
  /** Which of the two is meant: an answer in Node's manner differs by it. */
  readonly only: "file" | "folder" | null;
}

/** Removes a file, a link (never what it leads to) or a folder, with all that is in it where that is asked for. */
export async function remove(spot: Spot, { isRecursive, only }: RemoveOptions, change: Change): Promise<void> {
  const { root, parent, names, found, isInCode, shown } = spot;
  if (found === null) throw failure("ENOENT", shown);
  assertMayChange(root, names, found.stats, isInCode);
  if (parent === null) throw denied(FILES.mountItself);
  const isFolder = found.stats.isDirectory();
  if (isFolder && only === "file") throw failure("EISDIR", shown);
  if (!isFolder && (only === "folder" || spot.isFolder)) throw failure("ENOTDIR", shown);
  if (isFolder) assertMayUproot(root, names);
  const removal = new Removal(spot, change);
  // First all of it is looked at: nothing goes where something in it has to stay.
  if (isFolder && isRecursive) await removal.visit(found, names, "look");
  assertGoingOn(change.signal);
  change.begin();
  if (isFolder && isRecursive) await removal.visit(found, names, "remove");
  await removal.take(parent, found, names);
  root.made?.remove(names);
}

class Removal {
  readonly #spot: Spot;
  readonly #change: Change;

  constructor(spot: Spot, change: Change) {
    this.#spot = spot;
    this.#change = change;
  }

  /** Goes through a folder, its folders first. */
  async visit(folder: Entry, names: readonly string[], step: "look" | "remove"): Promise<void> {
    const { root, shown } = this.#spot;
    if (names.length - this.#spot.names.length >= DEPTH_COUNT) throw failure("ENAMETOOLONG", shown);
    for await (const { name } of await opendir(folder.path)) {
      assertGoingOn(this.#change.signal);
      await using entry = await openEntry(`${folder.path}/${name}`, root.way);
      if (entry === null) continue;
      const below = [...names, name];
      const isGuarded = root.guarded.isCode(identityOf(entry.stats)) || root.guarded.isPrivate(identityOf(entry.stats));
      assertMayChange(root, below, entry.stats, isGuarded);
      if (entry.stats.isDirectory()) await this.visit(entry, below, step);
      if (step === "remove") await this.take(folder, entry, below);
    }
  }

  /** Removes one name. What has come to stand under it since is either of the kind that was checked, or stays. */
  async take(folder: Entry, entry: Entry, names: readonly string[]): Promise<void> {
    await folder.verify();
    const path = `${folder.path}/${names.at(-1) ?? ""}`;
    if (entry.stats.isDirectory()) await rmdir(path);
    else await unlink(path);
  }
}
