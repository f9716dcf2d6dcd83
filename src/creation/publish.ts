import { linkSync, mkdirSync, readdirSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { ToolCreationError } from "../catalogue/faults.ts";
import { CREATION } from "../catalogue/texts.ts";
import { writeOwnFile } from "../powers/secrets/whole-file.ts";
import { assertOwnFolder } from "./tool-files.ts";

/** A place of tool modules that tools are made in. */
export interface Tier {
  readonly folder: string;
  readonly tier: "personal" | "shared";
}

export interface Made {
  readonly name: string;
  readonly code: string;
  readonly replaces: boolean;
  /** Of whoever makes it: one draft at a time. */
  readonly maker: string;
}

// Of one process, so that two never write over each other's; the dot keeps it out of every listing.
const DRAFT = /^\.[a-z][a-z0-9_-]*\.(\d+)-[0-9a-f]+\.(?:ts|mts|js|mjs)$/u;

/**
 * Puts a tool's file in its place once `check` has nothing against it: whole or not at all. It is checked where it will stand,
 * as a file that no listing shows, so that what it imports from beside it is there. Rejects with ToolCreationError.
 */
export async function publish<T>(
  { folder }: Tier,
  file: string,
  { name, code, replaces, maker }: Made,
  check: (draft: string) => Promise<T>,
): Promise<T> {
  const draft = join(folder, `.${name}.${process.pid}-${maker}${file.slice(name.length)}`);
  prepare(folder);
  try {
    writeOwnFile(draft, code, { replaces: true });
    const checked = await check(draft);
    if (replaces) renameSync(draft, join(folder, file));
    else linkSync(draft, join(folder, file));
    return checked;
  } catch (error) {
    throw isThere(error) ? new ToolCreationError("FileExists", CREATION.exists(name)) : toRefusal(error);
  } finally {
    rmSync(draft, { force: true });
  }
}

function prepare(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    assertOwnFolder(folder);
    sweepDrafts(folder);
  } catch (error) {
    throw toRefusal(error);
  }
}

// Another process was faster.
function isThere(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === "EEXIST";
}

function toRefusal(error: unknown): unknown {
  const { code } = error as NodeJS.ErrnoException;
  if (error instanceof ToolCreationError || code === undefined) return error;
  const refusal = new ToolCreationError("PermissionDenied", CREATION.unwritable(code));
  refusal.cause = error;
  return refusal;
}

// What a process has left that was killed while it checked.
function sweepDrafts(folder: string): void {
  for (const file of readdirSync(folder)) {
    const pid = Number(DRAFT.exec(file)?.[1]);
    if (pid > 0 && !isAlive(pid)) rmSync(join(folder, file), { force: true });
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== "ESRCH";
  }
}
