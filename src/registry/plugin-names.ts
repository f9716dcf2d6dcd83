import { hash } from "node:crypto";
import { FOLDER_NAME } from "../admission/folder.ts";

/** As npm allows them, those of old included. */
const PACKAGE_NAME = /^(?:@[a-z0-9~-][a-z0-9._~-]*\/)?[a-z0-9~-][a-z0-9._~-]*$/iu;
const PACKAGE_NAME_CHARS = 214;
const CHARS = 40;
const MARK_CHARS = 8;

/** Whether a package can have this name: no such name leads out of `node_modules`. */
export function isPackageName(name: string): boolean {
  return name.length <= PACKAGE_NAME_CHARS && PACKAGE_NAME.test(name);
}

/**
 * What the capability of a package is called: as the package is, where that is a capability's name. Any other gets a mark of its
 * own with the nearest name, so that it is called the same whatever is installed beside it: a switch is kept by that name.
 */
export function toCapabilityName(packageName: string): string {
  if (FOLDER_NAME.test(packageName)) return packageName;
  const mark = hash("sha256", packageName).slice(0, MARK_CHARS);
  const plain = packageName
    .toLowerCase()
    .replaceAll(/[^a-z0-9_-]/gu, "-")
    .replace(/^[^a-z]+/u, "");
  return `${plain === "" ? "package" : plain.slice(0, CHARS - MARK_CHARS - 1)}-${mark}`;
}
