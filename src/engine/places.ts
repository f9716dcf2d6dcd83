import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Root } from "../registry/folders.ts";
import type { Settings } from "./options.ts";

const SHIPPED_FOLDER = fileURLToPath(new URL("../capabilities", import.meta.url));
const SHIPPED_CACHE_FOLDER = fileURLToPath(new URL("../shipped-cache", import.meta.url));
const PACKAGE_FILE = new URL("../../package.json", import.meta.url);

export const ENGINE_VERSION = (JSON.parse(readFileSync(PACKAGE_FILE, "utf8")) as { version: string }).version;

/** Where capabilities are looked for, in the order in which the first of a name keeps it. */
export function capabilityRoots({ home, capabilities }: Settings): readonly Root[] {
  return [
    { path: SHIPPED_FOLDER, isShipped: true, isOptional: false },
    { path: join(home, "capabilities"), isShipped: false, isOptional: true },
    ...capabilities.map((path) => ({ path, isShipped: false, isOptional: false })),
  ];
}

/** Where what was read and bundled is kept: the home's, and what the build has made of the shipped capabilities. */
export function cachePlaces(home: string): { readonly cacheDir: string; readonly shippedDir: string } {
  return { cacheDir: join(home, "cache"), shippedDir: SHIPPED_CACHE_FOLDER };
}
