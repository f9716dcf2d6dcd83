import { FILES } from "../../catalogue/texts.ts";
import type { Access } from "../permissions.ts";
import { PowerError } from "../power.ts";
import { openEntry, type Entry, type Way } from "./entry.ts";
import { outside } from "./errors.ts";
import type { Guarded } from "./guarded.ts";
import type { Made } from "./made.ts";
import type { MountName } from "./path.ts";
import { identityOf, lstat, realpath } from "./system.ts";

/** The folder behind a mount, found once and held from then on: what takes its place later is not it. */
export interface Pin {
  readonly folder: Entry;
  /** As it was named, and as it is really called. */
  readonly given: string;
  readonly real: string;
  /** What the power itself put there; null where that makes no difference. */
  readonly made: Made | null;
  readonly way: Way;
  /** The last change under way: changes of one mount go one after the other, so that what is counted stays true. */
  last: Promise<unknown>;
}

/** A mount as one operation sees it. */
export interface Root extends Omit<Pin, "last"> {
  readonly mount: MountName;
  readonly access: Access;
  readonly guarded: Guarded;
  readonly isCode: boolean;
  /** The part of an absolute link target that lies within the mount. Throws where it does not. */
  within(target: string): string;
  /** Runs a change when those before it have ended. */
  inTurn<T>(change: () => Promise<T>): Promise<T>;
}

/** Finds and holds a folder. Null where there is none. */
export async function pinFolder(given: string, way: Way, made: Made | null): Promise<Pin | null> {
  const real = await realpath(given).catch(() => null);
  const folder = real === null ? null : await openEntry(real, way);
  if (real === null || folder === null) return null;
  if (folder.stats.isDirectory()) return { folder, given, real, made, way, last: Promise.resolve() };
  await folder[Symbol.asyncDispose]();
  return null;
}

/** Whether the folder still stands where it was found. */
export async function isInPlace({ real, folder }: Pin): Promise<boolean> {
  const now = await lstat(real).catch(() => null);
  return now !== null && identityOf(now) === identityOf(folder.stats);
}

export function toRoot(pin: Pin, mount: MountName, access: Access, guarded: Guarded): Root {
  const identity = identityOf(pin.folder.stats);
  if (mount !== "tmp" && guarded.isPrivate(identity)) throw outside();
  const { folder, given, real, made, way } = pin;
  const isCode = mount !== "capability" && guarded.isCode(identity);
  return {
    folder,
    given,
    real,
    made,
    way,
    mount,
    access,
    guarded,
    isCode,
    within: (target) => within(target, [real, given]),
    inTurn: (change) => {
      const turn = pin.last.then(change);
      pin.last = turn.catch(() => undefined);
      return turn;
    },
  };
}

export function assertMayWrite({ access, mount }: Root): void {
  if (access !== "write") throw new PowerError("PERMISSION_DENIED", FILES.readOnly(`/${mount}`));
}

function within(target: string, roots: readonly string[]): string {
  for (const root of roots) {
    if (target === root) return "";
    const start = root.endsWith("/") ? root : `${root}/`;
    if (target.startsWith(start)) return target.slice(start.length);
  }
  throw outside();
}
