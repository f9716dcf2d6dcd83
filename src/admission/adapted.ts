import type { Json, JsonObject } from "../catalogue/json.ts";
import type { Fault } from "./record.ts";

/**
 * Code whose tools are known only by running it: a tool module, or a package whose package.json names tools. It becomes one
 * capability. All of it is plain data, since it goes to the threads that read sources as it is.
 */
export interface AdaptedSource {
  /** Which of the guest's adapters lists its tools and runs them. */
  readonly kind: "module" | "package";
  /** The capability's name. */
  readonly name: string;
  /** No file outside this folder is ever read. */
  readonly root: string;
  /** Folders under `root`, with "/", in one of which every file has to lie; null for all of it. */
  readonly fence: readonly string[] | null;
  /** A package's own folder, relative to `root`: its entries lie in it, once every link is followed. */
  readonly home?: string;
  /** What was wrong with further entries, told with the rest. */
  readonly faults?: readonly Fault[];
  readonly entries: readonly AdaptedEntry[];
  /** What a package says of itself, in the words of a capability's index; null for a module, whose own constants say it. */
  readonly manifest: JsonObject | null;
}

export interface AdaptedEntry {
  /** Relative to `root`, with "/". */
  readonly file: string;
  /** What it is called in a listing, such as `tools.js#read_counters`. */
  readonly label: string;
  /** Of a package: what the file exports the tool as. */
  readonly exportName: string | null;
  /** A module's name, or the name that a package gives the tool. */
  readonly key: string;
}

/** What listing one entry came to. Everything in it is a stranger's word. */
export type EntryListing = Listed | FailedListing;

export interface FailedListing {
  readonly failed: string;
  readonly line: number | null;
  /** It says nothing of the source, such as a cell that did not start: nobody is to remember it. */
  readonly isPassing?: true;
}

export interface Listed {
  readonly tools: readonly ListedTool[];
  readonly faults: readonly ListedFault[];
  /** Whether a module can be handed a command line whole. */
  readonly hasCli: boolean;
}

export interface ListedTool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: Json;
  readonly profile: Json;
}

interface ListedFault {
  /** The tool's, where it has one. */
  readonly name: string | null;
  readonly reason: string;
}

/** What is asked of admission: first what to list, then, with the list of each entry, what to serve. */
export interface Adapted {
  readonly source: AdaptedSource;
  readonly listing: readonly EntryListing[] | null;
}

/** The tool of a listing's bundle that lists the entry of this place. No tool of a stranger can have such a name. */
export function listerOf(index: number): string {
  return `#${index}`;
}

/** The tool of a module's bundle that takes a command line. */
export function commandOf(name: string): string {
  return `${name}${COMMAND}`;
}

/** Whether a name is that of such a tool; no other has one like it. */
export function isCommand(name: string): boolean {
  return typeof name === "string" && name.endsWith(COMMAND);
}

export function moduleOf(command: string): string {
  return command.slice(0, -COMMAND.length);
}

const COMMAND = "#cli";
