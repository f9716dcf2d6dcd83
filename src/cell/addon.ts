import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { ADDON } from "../catalogue/texts.ts";

/** Why no cell can be started here, in one sentence that says what to do. */
export class AddonError extends Error {
  override readonly name = "AddonError";
}

export interface AddonFile {
  readonly file: string;
  readonly version: string;
}

// Below this a guest can corrupt its process: GHSA-864f-rcv7-6rh4.
const OLDEST = [7, 0, 1] as const;

/**
 * The addon's file for this Node and machine, found without loading it: it belongs in a cell's process, never in the host's.
 * Throws AddonError.
 */
export function findAddon(folder = addonFolder()): AddonFile {
  const { version } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as { version: string };
  if (isOlder(version)) throw new AddonError(ADDON.tooOld(version, OLDEST.join(".")));
  const { platform, arch } = process;
  const libc = platform === "linux" ? (existsSync("/etc/alpine-release") ? ".musl" : ".glibc") : "";
  const shipped = join(folder, "prebuilds", `${platform}-${arch}`, `isolated-vm.abi${process.versions.modules}${libc}.node`);
  const built = join(folder, "build", "Release", "isolated_vm.node");
  const file = [built, shipped].find((candidate) => existsSync(candidate));
  if (file === undefined) throw new AddonError(ADDON.noBinary(platform, arch, process.version));
  return { file, version };
}

function addonFolder(): string {
  try {
    return dirname(createRequire(import.meta.url).resolve("isolated-vm/package.json"));
  } catch (cause) {
    throw new AddonError(ADDON.missing, { cause });
  }
}

function isOlder(version: string): boolean {
  const parts = version.split(".").map((part) => Number.parseInt(part, 10));
  for (const [index, oldest] of OLDEST.entries()) {
    const part = parts[index] ?? 0;
    if (part !== oldest) return part < oldest;
  }
  return false;
}
