import type { Json } from "../../catalogue/json.ts";
import { FILES } from "../../catalogue/texts.ts";
import { PowerError } from "../power.ts";
import { outside } from "./errors.ts";

const MOUNTS = ["workspace", "home", "capability", "tmp"] as const;
export type MountName = (typeof MOUNTS)[number];

/** A guest's path, taken apart and not yet looked at: links and `..` mean what they mean where they are met. */
export interface GuestPath {
  readonly mount: MountName;
  /** Between the slashes, without empty ones and single dots. */
  readonly parts: readonly string[];
  /** It ended in a slash: only a folder fits. */
  readonly isFolder: boolean;
  /** How messages and effects name it. */
  readonly shown: string;
}

const PATH_BYTES = 4096;
const PART_BYTES = 255;
const PART_COUNT = 128;

// What Windows takes for something other than a file of that name: streams, devices, separators, ends that it drops.
const WINDOWS_SPECIAL = /[\\:<>"|?*\u0000-\u001f]|[. ]$|^(?:con|prn|aux|nul|conin\$|conout\$|com[\d¹²³]|lpt[\d¹²³])(?:\.|$)/iu;

/** Text as it may be shown before anything is known of it; empty for what is none. */
export function shownPath(value: Json | undefined): string {
  return typeof value === "string" ? value.slice(0, PATH_BYTES) : "";
}

/** Reads a path from a request. A relative one starts in `/workspace`. Throws PowerError. */
export function parsePath(value: Json | undefined): GuestPath {
  if (typeof value !== "string") throw new PowerError("ERR_INVALID_ARG_TYPE", FILES.notString);
  if (value.includes("\0") || !value.isWellFormed()) throw new PowerError("ERR_INVALID_ARG_VALUE", FILES.badCharacter);
  if (value === "") throw new PowerError("ENOENT", FILES.empty);
  if (Buffer.byteLength(value) > PATH_BYTES) throw new PowerError("ENAMETOOLONG", FILES.tooLong);
  const parts = splitPath(value);
  const isFolder = endsAsFolder(value);
  if (!value.startsWith("/")) return { mount: "workspace", parts, isFolder, shown: ["/workspace", ...parts].join("/") };
  const [first, ...rest] = parts;
  const mount = MOUNTS.find((name) => name === first);
  if (mount === undefined) throw outside();
  return { mount, parts: rest, isFolder, shown: `/${parts.join("/")}` };
}

/** The parts of a path or of a link's target. Throws PowerError where one of them can be no file's name. */
export function splitPath(path: string): string[] {
  const parts = path.split("/").filter((part) => part !== "" && part !== ".");
  if (parts.length > PART_COUNT || parts.some((part) => Buffer.byteLength(part) > PART_BYTES))
    throw new PowerError("ENAMETOOLONG", FILES.tooLong);
  if (process.platform === "win32" && parts.some((part) => part !== ".." && WINDOWS_SPECIAL.test(part))) throw outside();
  return parts;
}

export function endsAsFolder(path: string): boolean {
  return /(?:^|\/)\.{0,2}$/u.test(path);
}
