import assert from "node:assert/strict";
import { spawn, type ChildProcess, type SpawnOptions } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { createInterface } from "node:readline";
import { LIMITS } from "../../src/engine/limits.ts";
import type { ReloadLimits } from "../../src/reload/limits.ts";
import { watchFolders, type Watcher } from "../../src/reload/watcher.ts";
import { makeTempFolder, writeFiles, type Files, type TempFolder } from "../support/capabilities.ts";

export const DEFAULTS: ReloadLimits = {
  settleMs: LIMITS.settleMs.value,
  settleMaxMs: LIMITS.settleMaxMs.value,
  watchCount: LIMITS.watchCount.value,
};

/** What was told, in order: `folder caps/weather`, `root caps`, `trouble caps: why`. */
export class Told {
  readonly #all: string[] = [];
  #wake: (() => void) | null = null;
  #read = 0;

  push(what: string): void {
    this.#all.push(what);
    this.#wake?.();
  }

  /** The next one that begins so; those before it are passed over. The test's own time limit ends it otherwise. */
  async next(start: string): Promise<string> {
    for (;;) {
      while (this.#read < this.#all.length) {
        const what = this.#all[this.#read] ?? "";
        this.#read += 1;
        if (what.startsWith(start)) return what;
      }
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }

  /** All that was told and not read yet. */
  rest(): readonly string[] {
    const rest = this.#all.slice(this.#read);
    this.#read = this.#all.length;
    return rest;
  }
}

export interface Watched extends AsyncDisposable {
  /** Holds the root `caps`. */
  readonly folder: string;
  readonly watcher: Watcher;
  readonly told: Told;
  write(file: string, content: string): void;
  in(file: string): string;
  /** All that was told of what was done before: the system keeps the order, so a change made now is told last. */
  toldOf(): Promise<readonly string[]>;
  /** Until all that there is now is watched, and all that was told of it is read. */
  calm(): Promise<void>;
}

interface WatchedOptions {
  readonly limits?: Partial<ReloadLimits>;
  readonly roots?: readonly { readonly path: string; readonly isOptional: boolean }[];
  /** Where its folder stands. */
  readonly temp?: TempFolder;
}

/** A watcher of the folder `caps` with these files under it, and of the root `last`, whose capability `last/told` stays untouched. */
export async function watched(files: Files, { limits = {}, roots = [], temp = makeTempFolder() }: WatchedOptions = {}): Promise<Watched> {
  const folder = temp.path;
  const told = new Told();
  const toName = (file: string): string => path.relative(folder, file).replaceAll("\\", "/");
  mkdirSync(path.join(folder, "caps"));
  writeFiles(folder, { "last/told/a.ts": "0", ...Object.fromEntries(Object.entries(files).map(([file, text]) => [`caps/${file}`, text])) });
  const all = [{ path: "caps", isOptional: false }, { path: "last", isOptional: false }, ...roots];
  const watcher = watchFolders(
    all.map((root) => ({ ...root, path: path.join(folder, root.path) })),
    { ...DEFAULTS, ...limits },
    {
      onFolder: (file) => told.push(`folder ${toName(file)}`),
      onRoot: (file) => told.push(`root ${toName(file)}`),
      onTrouble: (file, message) => told.push(`trouble ${toName(file)}: ${message}`),
    },
  );
  await watcher.ready;
  const inFolder = (file: string): string => path.join(folder, file);
  const toldOf = async (): Promise<readonly string[]> => {
    // Twice: what the first one has waited for was handled by then, and may have begun to settle only now.
    const before: string[] = [];
    for (const content of ["1", "2"]) {
      writeFileSync(inFolder("last/told/a.ts"), content);
      for (let what = await told.next(""); what !== "folder last/told"; what = await told.next("")) before.push(what);
    }
    return before;
  };
  return {
    folder,
    watcher,
    told,
    in: inFolder,
    write: (file, content) => {
      mkdirSync(path.dirname(inFolder(file)), { recursive: true });
      writeFileSync(inFolder(file), content);
    },
    toldOf,
    async calm() {
      await watcher.refresh();
      await toldOf();
    },
    async [Symbol.asyncDispose]() {
      await watcher.close();
      temp[Symbol.dispose]();
    },
  };
}

/** How many watches the system holds for this process. */
export function countWatches(): number {
  return readdirSync("/proc/self/fdinfo")
    .flatMap((fd) => {
      try {
        return readFileSync(`/proc/self/fdinfo/${fd}`, "latin1").split("\n");
      } catch {
        return [];
      }
    })
    .filter((line) => line.startsWith("inotify wd:")).length;
}

/** Watches the folder that it is given until its input ends, and says a line for each thing told; `ready` first. */
const SCRIPT = `
import { watchFolders } from ${JSON.stringify(import.meta.resolve("../../src/reload/watcher.ts"))};
import path from "node:path";
const [root, limits, program] = process.argv.slice(1);
const toName = (file) => path.relative(path.dirname(root), file);
const watcher = watchFolders([{ path: root, isOptional: false }], JSON.parse(limits), {
  onFolder: (file) => console.log("folder " + toName(file)),
  onRoot: (file) => console.log("root " + toName(file)),
  onTrouble: (file, message) => console.log("trouble " + toName(file) + ": " + message),
});
await watcher.ready;
console.log("ready");
eval(program);
process.stdin.resume().on("end", () => watcher.close().then(() => console.log("closed")));
`;

export interface WatchingProcess extends AsyncDisposable {
  readonly told: Told;
  readonly child: ChildProcess;
}

interface WatchingOptions extends SpawnOptions {
  readonly limits?: Partial<ReloadLimits>;
  /** Run in the process once it watches. */
  readonly program?: string;
  /** What starts node, a command line before it. */
  readonly under?: readonly string[];
}

/** A process of its own that watches `root`. Its disposal has it close its watcher, and sees that it ends by itself then. */
export function watchingProcess(
  root: string,
  { limits = {}, program = "", under = [], ...options }: WatchingOptions = {},
): WatchingProcess {
  const words = ["--input-type=module", "-e", SCRIPT, root, JSON.stringify({ ...DEFAULTS, ...limits }), program];
  const [command = process.execPath, ...before] = under.length === 0 ? [] : [...under, process.execPath];
  const child = spawn(command, [...before, ...words], { ...options, stdio: ["pipe", "pipe", "inherit"] });
  const told = new Told();
  const ended = new Promise<number | null>((resolve) => child.once("close", resolve));
  if (child.stdout !== null) createInterface(child.stdout).on("line", (line) => told.push(line));
  return {
    told,
    child,
    async [Symbol.asyncDispose]() {
      child.stdin?.end();
      assert.equal(await ended, 0);
    },
  };
}

/** A process that writes `caps/weather/get.ts` so many times, so many milliseconds apart. */
export function writer(made: Watched, count: number, periodMs: number): ChildProcess {
  const script = `
const [file, count, periodMs] = process.argv.slice(1);
let written = 0;
const timer = setInterval(() => {
  require("node:fs").writeFileSync(file, "turn " + written);
  written += 1;
  if (written >= Number(count)) clearInterval(timer);
}, Number(periodMs));`;
  const words = [made.in("caps/weather/get.ts"), String(count), String(periodMs)];
  return spawn(process.execPath, ["-e", script, ...words], { stdio: ["ignore", "inherit", "inherit"] });
}
