import type { JsonObject } from "../catalogue/json.ts";

/** One tool as its source declares it, read and never run. */
export interface ToolRecord {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: JsonObject;
  /** The tool's file, relative to the capability's folder; with `#` and a name where one file holds several. */
  readonly file: string;
  readonly profile: ToolProfile;
}

/** How long a tool takes and what may be done with it: EXECUTION_PROFILE. */
export interface ToolProfile {
  /** Null where it does not say. */
  readonly expectedSeconds: number | null;
  /** Whether it may run as a job, behind everybody's back. */
  readonly backgroundEligible: boolean;
  /** Whether its owner has to allow it by name. */
  readonly gated: boolean;
  /** Whether it may be run again when nobody knows how far it came. */
  readonly retrySafe: boolean;
}

/** Something wrong with one file, as a sentence that says what to change. */
export interface Fault {
  readonly file: string;
  readonly line: number | null;
  readonly reason: string;
}

/** What LIMITS may lower: the names of contracts.md, in their units. */
export interface DeclaredLimits {
  readonly callMs?: number;
  readonly cpuMs?: number;
  readonly memoryBytes?: number;
  readonly resultBytes?: number;
  readonly concurrency?: number;
}

/** A capability folder as read: what it offers, what is wrong with it, and the bundle that a cell loads. */
export interface CapabilityRecord {
  readonly name: string;
  /**
   * What grants to it, and the values that it keeps, are kept under. Its name, but for a source of another form: a tool that an
   * agent has made takes the place of one of the same name, and must not come into what that was given.
   */
  readonly grantedAs: string;
  readonly label: string;
  readonly description: string;
  readonly version: string | null;
  readonly license: string | null;
  readonly homepage: string | null;
  readonly permissions: JsonObject | null;
  readonly runtime: "isolate" | "worker";
  readonly limits: DeclaredLimits;
  /** Hidden from the owner's pane; only shipped capabilities can be. */
  readonly internal: boolean;
  /** Without a switch; only shipped capabilities can be. */
  readonly required: boolean;
  readonly tools: readonly ToolRecord[];
  /** Whether it can be handed a command line whole: a tool module may. */
  readonly hasCli: boolean;
  /** Files that are not taken; the others are. */
  readonly broken: readonly Fault[];
  /** Declarations that have no effect, such as INTERNAL in a package. */
  readonly ignored: readonly Fault[];
  /** Why the whole folder is not taken, or null. */
  readonly refused: string | null;
  /** SHA-256 of the bundle, hex, or null where no tool could be bundled. */
  readonly bundleHash: string | null;
  /** SHA-256 of all of the above, hex: the same means that neither a listing nor a running cell would see a difference. */
  readonly codeHash: string;
}
