import { constants, rmSync } from "node:fs";
import { mkdir, mkdtemp, open, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, posix } from "node:path";
import { PROCESS } from "../../catalogue/texts.ts";
import { denied, PowerError, type PowerUse } from "../power.ts";
import { isWithin } from "./program.ts";

/** Where one program runs: its folder, and an empty home of its own that is gone afterwards. */
export interface RunPlace extends AsyncDisposable {
  readonly cwd: string;
  readonly home: string;
  /** Real folders and what a guest calls them. */
  readonly names: readonly (readonly [string, string])[];
}

const MOUNT = "/workspace";

/** Makes the place. `cwd` is a folder in the workspace; null stands for the workspace, or for an empty folder without it. */
export async function makePlace(cwd: string | null, { permissions, places }: PowerUse): Promise<RunPlace> {
  if (cwd !== null && permissions.workspace === "none") throw denied(PROCESS.cwdDenied);
  const folder = permissions.workspace === "none" ? null : await openFolder(cwd ?? MOUNT, places.workspace);
  try {
    const temp = await realpath(await mkdtemp(join(tmpdir(), "toolcell-run-")));
    temps.add(temp);
    const [home, empty] = [join(temp, "home"), join(temp, "work")];
    await Promise.all([mkdir(home), mkdir(empty)]);
    return {
      cwd: folder?.path ?? empty,
      home,
      names: [...(folder === null ? [] : [[folder.root, MOUNT] as const]), [temp, "/tmp"]],
      [Symbol.asyncDispose]: async () => {
        await folder?.close();
        // What a program has locked, or still writes, is left to the system's own tidying.
        await rm(temp, { recursive: true, force: true, maxRetries: 2 }).catch(() => undefined);
        temps.delete(temp);
      },
    };
  } catch (error) {
    await folder?.close();
    throw error;
  }
}

const temps = new Set<string>();

/** For a host that exits in the middle of a run. */
export function removePlaces(): void {
  for (const temp of temps) rmSync(temp, { recursive: true, force: true });
}

interface OpenFolder {
  readonly path: string;
  readonly root: string;
  close(): Promise<void>;
}

// The folder is opened first and looked at then; on Linux the program starts in the opened one, so that no link put in its
// place meanwhile leads it elsewhere.
async function openFolder(cwd: string, workspace: string): Promise<OpenFolder> {
  const normal = posix.normalize(cwd);
  if (normal !== MOUNT && !normal.startsWith(`${MOUNT}/`)) throw new PowerError("EINVAL", PROCESS.cwd);
  try {
    const root = await realpath(workspace);
    const path = join(root, normal.slice(MOUNT.length));
    if (process.platform !== "linux") {
      const real = await realpath(path);
      if (!isWithin(real, root)) throw denied(PROCESS.cwd);
      return { path: real, root, close: () => Promise.resolve() };
    }
    const handle = await open(path, constants.O_RDONLY | constants.O_DIRECTORY);
    const opened = `/proc/self/fd/${handle.fd}`;
    if (isWithin(await realpath(opened), root)) return { path: opened, root, close: () => handle.close() };
    await handle.close();
    throw denied(PROCESS.cwd);
  } catch (error) {
    throw error instanceof PowerError ? error : new PowerError("ENOENT", PROCESS.cwdMissing(cwd));
  }
}
