import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { isJsonObject } from "../../catalogue/json.ts";
import { FILES } from "../../catalogue/texts.ts";
import { overLimit } from "../power.ts";
import { identityOf, type Stats } from "./system.ts";

export interface MadeLimits {
  readonly tempBytes: number;
  readonly tempCount: number;
}

interface MadeEntry {
  readonly identity: string;
  readonly bytes: number;
}

/**
 * What the power itself has put into a mount, and how much that is. In `/capability` everything else counts as shipped, so the
 * list outlives the process; a list that is lost or does not fit makes files unchangeable, never changeable.
 */
export class Made {
  readonly #limits: MadeLimits;
  readonly #file: string | null;
  #entries = new Map<string, MadeEntry>();
  #bytes = 0;
  #saving: Promise<void> = Promise.resolve();
  #isSaveDue = false;

  constructor(limits: MadeLimits, file: string | null) {
    this.#limits = limits;
    this.#file = file;
  }

  /** Reads the list kept in `file`. */
  static async load(limits: MadeLimits, file: string): Promise<Made> {
    const made = new Made(limits, file);
    const text = await readFile(file, "utf8").catch(() => "");
    for (const [path, entry] of parseList(text)) made.#set(path, entry);
    return made;
  }

  has(names: readonly string[], stats: Stats): boolean {
    return this.#entries.get(names.join("/"))?.identity === lastingIdentity(stats);
  }

  /** Throws where `bytes` in place of what is there now, or one entry more, is over what one capability may hold. */
  assertRoom(names: readonly string[], bytes: number): void {
    const before = this.#entries.get(names.join("/"));
    const { tempBytes, tempCount } = this.#limits;
    if (this.#bytes - (before?.bytes ?? 0) + bytes > tempBytes) throw overLimit(FILES.tempBytes(tempBytes));
    if (before === undefined && this.#entries.size >= tempCount) throw overLimit(FILES.tempCount(tempCount));
  }

  add(names: readonly string[], stats: Stats, bytes: number): void {
    this.#set(names.join("/"), { identity: lastingIdentity(stats), bytes });
    this.#save();
  }

  remove(names: readonly string[]): void {
    for (const path of this.#pathsFrom(names)) this.#delete(path);
    this.#save();
  }

  move(from: readonly string[], to: readonly string[]): void {
    const moved = this.#pathsFrom(from).map((path) => [path, this.#entries.get(path)] as const);
    this.remove(to);
    for (const [path, entry] of moved) {
      this.#delete(path);
      if (entry !== undefined) this.#set(to.join("/") + path.slice(from.join("/").length), entry);
    }
    this.#save();
  }

  /** Resolves when the list is kept. */
  async saved(): Promise<void> {
    await this.#saving;
  }

  #pathsFrom(names: readonly string[]): string[] {
    const path = names.join("/");
    return [...this.#entries.keys()].filter((known) => known === path || known.startsWith(`${path}/`));
  }

  #set(path: string, entry: MadeEntry): void {
    this.#delete(path);
    this.#entries.set(path, entry);
    this.#bytes += entry.bytes;
  }

  #delete(path: string): void {
    this.#bytes -= this.#entries.get(path)?.bytes ?? 0;
    this.#entries.delete(path);
  }

  // Changes that come while the list is being written are in the next one: a flood of them costs two.
  #save(): void {
    const file = this.#file;
    if (file === null || this.#isSaveDue) return;
    this.#isSaveDue = true;
    this.#saving = this.#saving.then(async () => {
      this.#isSaveDue = false;
      const list = [...this.#entries].map(([path, { identity, bytes }]) => [path, identity, bytes]);
      await mkdir(dirname(file), { recursive: true, mode: 0o700 });
      await writeFile(`${file}.new`, JSON.stringify({ version: 1, made: list }), { mode: 0o600 });
      await rename(`${file}.new`, file);
    });
    this.#saving = this.#saving.catch(() => undefined);
  }
}

// A number may come back once its file is gone, and a list may lie for years: the time of making tells them apart.
function lastingIdentity(stats: Stats): string {
  return `${identityOf(stats)}:${stats.birthtimeNs}`;
}

function parseList(text: string): [string, MadeEntry][] {
  let list: unknown;
  try {
    list = JSON.parse(text);
  } catch {
    return [];
  }
  if (!isJsonObject(list) || list["version"] !== 1 || !Array.isArray(list["made"])) return [];
  return list["made"].flatMap((item: unknown): [string, MadeEntry][] => {
    if (!Array.isArray(item)) return [];
    const [path, identity, bytes] = item as unknown[];
    const isEntry = typeof path === "string" && typeof identity === "string" && typeof bytes === "number" && bytes >= 0;
    return isEntry ? [[path, { identity, bytes }]] : [];
  });
}
