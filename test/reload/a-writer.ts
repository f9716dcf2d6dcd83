import { renameSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { seededRandom } from "../support/random.ts";

/** Source of the tool and of its helper in one version: the answer names both, and the instance that gave it. */
export function sources(version: number): { readonly tool: string; readonly helper: string } {
  return {
    tool: `import { helper } from "./_helper.js";
export const NAME = "ask";
export const DESCRIPTION = "Says which version answers.";
const instance = Math.random().toString(36).slice(2);
export const INPUT_SCHEMA = { type: "object", properties: { wait: { type: "integer" } } };
export function unload() { console.log("unloaded " + instance); }
export async function run(context, { wait = 0 }) {
  if (wait > 0) await new Promise((resolve) => setTimeout(resolve, wait));
  return "${version}/" + helper + "/" + instance;
}
`,
    helper: `export const helper = "${version}";\n`,
  };
}

async function rewrite(folder: string, count: number, random: ReturnType<typeof seededRandom>): Promise<void> {
  const disk = new Disk(folder);
  for (let version = 1; version <= count; version += 1) {
    const text = sources(version);
    // What comes last is what it cannot do without: no part of it but the whole can serve.
    const half = text.tool.slice(0, random.below(text.tool.length));
    switch (version === count ? 0 : random.below(6)) {
      case 0:
      case 1:
        disk.write("helper", text.helper, version);
        disk.write("tool", text.tool, version);
        break;
      case 2: // An editor that writes beside and renames over.
        disk.rename("helper", text.helper, version);
        disk.rename("tool", text.tool, version);
        break;
      case 3: // Half of it, the rest a moment later.
        disk.write("helper", text.helper, version);
        disk.write("tool", half, null);
        await pause(random.below(20));
        disk.write("tool", text.tool, version);
        break;
      case 4: // A mistake, left standing.
        disk.write("tool", half, null);
        break;
      default: // Taken away and put back.
        disk.remove("helper");
        disk.write("tool", text.tool, version);
        disk.write("helper", text.helper, version);
    }
    await pause(random.below(60));
  }
}

/** The two files, and which versions of them stood there at the same time: each such state is a line on stdout. */
class Disk {
  readonly #files: { readonly tool: string; readonly helper: string };
  readonly #versions: { tool: number | null; helper: number | null } = { tool: 0, helper: 0 };

  constructor(folder: string) {
    this.#files = { tool: path.join(folder, "ask.js"), helper: path.join(folder, "_helper.js") };
    this.#say();
  }

  write(which: "tool" | "helper", text: string, version: number | null): void {
    writeFileSync(this.#files[which], text);
    this.#now(which, version);
  }

  rename(which: "tool" | "helper", text: string, version: number): void {
    writeFileSync(`${this.#files[which]}.tmp`, text);
    renameSync(`${this.#files[which]}.tmp`, this.#files[which]);
    this.#now(which, version);
  }

  remove(which: "tool" | "helper"): void {
    rmSync(this.#files[which]);
    this.#now(which, null);
  }

  #now(which: "tool" | "helper", version: number | null): void {
    this.#versions[which] = version;
    this.#say();
  }

  #say(): void {
    const { tool, helper } = this.#versions;
    if (tool !== null && helper !== null) process.stdout.write(`${tool}/${helper}\n`);
  }
}

// Run as a program: rewrites the capability in a folder again and again, sound and broken by turns, and ends on a sound version.
if (import.meta.main) {
  const [folder = "", count = "0", seed = "0"] = process.argv.slice(2);
  await rewrite(folder, Number(count), seededRandom(Number(seed)));
}
