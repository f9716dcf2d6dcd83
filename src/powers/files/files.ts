import type { JsonObject } from "../../catalogue/json.ts";
import { FILES, POWER } from "../../catalogue/texts.ts";
import { overLimit, PowerError, type Places, type Power, type PowerAnswer, type PowerRequest, type PowerUse } from "../power.ts";
import { Budget } from "./budget.ts";
import { makeFolder, move } from "./change.ts";
import { SYSTEM_WAY, type Way } from "./entry.ts";
import { assertGoingOn, codeOf, toFailure } from "./errors.ts";
import { describeEntry, listFolder } from "./list.ts";
import type { MadeLimits } from "./made.ts";
import { Mounts } from "./mounts.ts";
import { parsePath, shownPath, type GuestPath } from "./path.ts";
import { readBytes, toTextAnswer, type ReadLimits } from "./read.ts";
import { remove } from "./remove.ts";
import { readFlag, readRange } from "./request.ts";
import { assertMayWrite, type Root } from "./root.ts";
import { assertNames } from "./rules.ts";
import { walk, type Spot } from "./walk.ts";
import { appendFile, copyFile, writeFile, type Change, type WriteLimits } from "./write.ts";

export interface FilesLimits extends MadeLimits, ReadLimits, WriteLimits {
  readonly powerBytes: number;
  readonly listCount: number;
  readonly writtenBytes: number;
}

export interface FilesOptions {
  /** Folders that code is loaded from: not changed through a workspace that contains them. Asked for at each operation. */
  readonly codeFolders?: () => readonly string[];
  /** For tests: the way of other systems can be tried on Linux. */
  readonly way?: Way;
}

export interface Files extends Power {
  /** The real folders behind a capability's mounts, made if need be. */
  folders(who: Pick<PowerUse, "capability" | "places">): Promise<Places>;
}

const DONE: PowerAnswer = { value: null };
const ATTEMPT_COUNT = 20;
const BUDGET_BYTES = 64 * 1024 * 1024;

/** Files in the mounts. Every path is a stranger's: it is walked, not resolved, and what is checked is what was opened. */
export function createFiles(limits: FilesLimits, { codeFolders = () => [], way = SYSTEM_WAY }: FilesOptions = {}): Files {
  const mounts = new Mounts(limits, way, codeFolders);
  const budget = new Budget(Math.max(BUDGET_BYTES, limits.powerBytes));
  // An answer may carry no more than `powerBytes`, so no more is read.
  const readLimits = { readBytes: Math.min(limits.readBytes, limits.powerBytes) };
  const written = new WeakMap<AbortSignal, number>();
  const counted = new WeakSet<JsonObject>();
  const running = new Set<Promise<unknown>>();
  let isClosed = false;

  async function perform({ op, args, bytes }: PowerRequest, use: PowerUse): Promise<PowerAnswer> {
    switch (op) {
      case "readBytes":
        return await at(args, use, async (spot) => ({
          value: null,
          bytes: await readBytes(spot, readRange(args), readLimits, budget, use.signal),
        }));
      case "readText":
        return await at(args, use, async (spot) => toTextAnswer(await readBytes(spot, readRange(args), readLimits, budget, use.signal)));
      case "list":
        return await at(args, use, async (spot) => ({ value: await listFolder(spot, limits.listCount, use.signal) }));
      case "stat":
        return await at(args, use, (spot) => Promise.resolve({ value: describeEntry(spot) }), !readFlag(args, "isLink"));
      case "write":
        return await changeAt(args, use, async (spot, change) => {
          countWritten(use, args, bytes?.length ?? 0);
          await writeFile(spot, content(bytes), readFlag(args, "isNew"), limits, change);
        });
      case "append":
        return await changeAt(args, use, async (spot, change) => {
          countWritten(use, args, bytes?.length ?? 0);
          await appendFile(spot, content(bytes), limits, change);
        });
      case "make":
        return await make(args, use);
      case "remove": {
        const options = { isRecursive: readFlag(args, "isRecursive"), only: readOnly(args) };
        return await changeAt(args, use, (spot, change) => remove(spot, options, change), false);
      }
      case "move":
        return await between(args, use, move, false);
      case "copy":
        return await between(
          args,
          use,
          (from, to, change) => {
            countWritten(use, args, from.found?.stats.isFile() === true ? Number(from.found.stats.size) : 0);
            return copyFile(from, to, readFlag(args, "isNew"), limits, budget, change);
          },
          true,
        );
      default:
        throw new PowerError("POWER_FAILED", POWER.unknownOp(op.slice(0, 40)));
    }
  }

  /** One operation that only reads. */
  async function at(args: JsonObject, use: PowerUse, read: (spot: Spot) => Promise<PowerAnswer>, followLast = true): Promise<PowerAnswer> {
    return await recorded(use, [[args["path"], false]], async () => {
      const path = parsePath(args["path"]);
      await using spot = await walk(await mounts.open(path.mount, use), path, { followLast });
      return await read(spot);
    });
  }

  async function changeAt(
    args: JsonObject,
    use: PowerUse,
    step: (spot: Spot, change: Change) => Promise<void>,
    followLast = true,
  ): Promise<PowerAnswer> {
    return await recorded(use, [[args["path"], true]], async (change) => {
      const path = parsePath(args["path"]);
      const root = await openToChange(path, use);
      await root.inTurn(async () => {
        assertGoingOn(use.signal);
        await using spot = await walk(root, path, { followLast });
        await step(spot, change);
      });
      return DONE;
    });
  }

  async function between(
    args: JsonObject,
    use: PowerUse,
    step: (from: Spot, to: Spot, change: Change) => Promise<void>,
    isCopy: boolean,
  ): Promise<PowerAnswer> {
    const named = [[args["from"], !isCopy] as const, [args["to"], true] as const];
    return await recorded(use, named, async (change) => {
      const [from, to] = [parsePath(args["from"]), parsePath(args["to"])];
      const source = isCopy ? await mounts.open(from.mount, use) : await openToChange(from, use);
      const target = await openToChange(to, use);
      await target.inTurn(async () => {
        assertGoingOn(use.signal);
        await using fromSpot = await walk(source, from, { followLast: isCopy });
        await using toSpot = await walk(target, to, { followLast: isCopy });
        await step(fromSpot, toSpot, change);
      });
      return DONE;
    });
  }

  async function make(args: JsonObject, use: PowerUse): Promise<PowerAnswer> {
    const isRecursive = !readFlag(args, "isAlone");
    return await recorded(use, [[args["path"], true]], async (change) => {
      const path = parsePath(args["path"]);
      const root = await openToChange(path, use);
      await root.inTurn(async () => {
        for (let count = isRecursive ? Math.min(1, path.parts.length) : path.parts.length; count <= path.parts.length; count += 1) {
          assertGoingOn(use.signal);
          await using spot = await walk(root, { ...path, parts: path.parts.slice(0, count) }, { followLast: isRecursive });
          await makeFolder(spot, isRecursive, change);
        }
      });
      return DONE;
    });
  }

  // Before a step is made: what may not be changed is refused alike whether it is there or not.
  async function openToChange({ mount, parts }: GuestPath, use: PowerUse): Promise<Root> {
    const root = await mounts.open(mount, use);
    assertMayWrite(root);
    assertNames(root, parts);
    return root;
  }

  async function recorded(
    use: PowerUse,
    named: readonly (readonly [JsonObject[string] | undefined, boolean])[],
    operate: (change: Change) => Promise<PowerAnswer>,
  ): Promise<PowerAnswer> {
    if (isClosed) throw new PowerError("ABORT_ERR", FILES.callEnded);
    const effects = named.map(([path, changes]) => use.effect(shownPath(path), changes));
    let hasBegun = false;
    const change = { signal: use.signal, begin: () => void (hasBegun = true) };
    const operation = steadily(
      () => operate(change),
      () => hasBegun,
    );
    running.add(operation);
    try {
      const answer = await operation;
      for (const effect of effects) effect.done();
      return answer;
    } catch (error) {
      // A change that was begun and has failed may have been made in part.
      if (!hasBegun) for (const effect of effects) effect.refused();
      throw toFailure(error, shownPath(named.at(-1)?.[0]));
    } finally {
      running.delete(operation);
    }
  }

  // Once for each request, however often it is tried.
  function countWritten({ signal }: PowerUse, request: JsonObject, bytes: number): void {
    if (counted.has(request)) return;
    const total = (written.get(signal) ?? 0) + bytes;
    if (total > limits.writtenBytes) throw overLimit(FILES.writtenBytes(limits.writtenBytes));
    written.set(signal, total);
    counted.add(request);
  }

  async function close(): Promise<void> {
    isClosed = true;
    await Promise.allSettled(running);
    await mounts.close();
  }

  return { perform, folders: (who) => mounts.folders(who), [Symbol.asyncDispose]: close };
}

// A file that is replaced while it is opened, by another call or another program, is there all the same: the next look finds it.
async function steadily(operate: () => Promise<PowerAnswer>, hasBegun: () => boolean): Promise<PowerAnswer> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await operate();
    } catch (error) {
      if (codeOf(error) !== "EAGAIN" || hasBegun() || attempt === ATTEMPT_COUNT) throw error;
    }
  }
}

function content(bytes: Buffer | null): Buffer {
  return bytes ?? Buffer.alloc(0);
}

function readOnly(args: JsonObject): "file" | "folder" | null {
  const { only = null } = args;
  if (only === null || only === "file" || only === "folder") return only;
  throw new PowerError("ERR_INVALID_ARG_TYPE", POWER.malformed("only"));
}
