import { basename, join } from "node:path";
import type { AdaptedSource } from "../admission/adapted.ts";
import { LISTING } from "../catalogue/texts.ts";

/** A place at which capabilities are found. */
export interface Root {
  readonly path: string;
  readonly isShipped: boolean;
  /** True where it need not exist, such as the home's before anything was installed. */
  readonly isOptional: boolean;
  /** Folders that are capabilities, files that are tool modules, or a project whose dependencies may be packages with tools. */
  readonly holds: "capabilities" | "modules" | "packages";
  /** Of modules, for whom they are. */
  readonly tier: "core" | "personal" | "shared" | null;
}

/** What a capability is made from: a folder in our own form, or a source of another one. */
export type SourceKind = "folder" | AdaptedSource["kind"];

export interface FoundFolder {
  /** Where it stands: a folder, or a module's file. Every source is known by it. */
  readonly path: string;
  readonly isShipped: boolean;
  /** Another where another folder stands under the same path; null where nobody has looked. */
  readonly identity: string | null;
  /** What listings show as its source; null where that is its own name. */
  readonly source: string | null;
  /** Null for a folder in our own form. */
  readonly adapted: AdaptedSource | null;
  /** Why it is not even read, or null. */
  readonly refused: string | null;
  /** Of a package, the folder of the project that it was found for. */
  readonly project?: string;
  /** Of a package, why what is said of it now cannot be read: it stays as it was found before. */
  readonly damage?: string;
}

export interface Finding {
  readonly folders: readonly FoundFolder[];
  readonly skipped: readonly Skipped[];
}

export interface FindingOfAll extends Finding {
  /** Those of the skipped that stand among the modules: what whoever makes modules is told. */
  readonly skippedModules: readonly Skipped[];
}

export interface FindingLimits {
  /** How many files of one folder are taken for modules. */
  readonly moduleCount: number;
  /** How many dependencies of a project are looked at, how large a package.json may be, and how many tools it may name. */
  readonly dependencyCount: number;
  readonly sourceBytes: number;
  readonly toolCount: number;
}

/** Something that is not taken, with its reason. */
export interface Skipped {
  readonly source: string;
  readonly name: string;
  readonly reason: string;
}

export function kindOf({ adapted }: FoundFolder): SourceKind {
  return adapted?.kind ?? "folder";
}

export function nameOf({ path, adapted }: FoundFolder): string {
  return adapted?.name ?? basename(path);
}

/** The folders that a source's files may come from. */
export function codeFoldersOf({ root, fence }: AdaptedSource): readonly string[] {
  return fence === null ? [root] : fence.map((folder) => join(root, folder));
}

/** The files that a source was made of, relative to where it stands: of a package its own, and not those of other packages. */
export function ownFiles({ adapted }: FoundFolder, files: readonly string[]): readonly string[] {
  const home = adapted?.home;
  if (home === undefined) return files;
  const own = files.filter((file) => file.startsWith(`${home}/`)).map((file) => file.slice(home.length + 1));
  return ["package.json", ...own.filter((file) => !file.startsWith("node_modules/"))];
}

/** Why a root holds nothing. */
export function skip(source: string, name: string, code: string | undefined): Skipped {
  if (code === "ENOENT") return { source, name, reason: LISTING.missing };
  return { source, name, reason: code === "ENOTDIR" ? LISTING.notFolder : LISTING.unreadable(code) };
}
