import type { Code } from "../src/catalogue/codes.ts";

/** A hostile or unlucky tool, as the body of `async function run(context) { … }`. */
export interface HazardCase {
  readonly name: string;
  readonly body: string;
  /** Right ends of it in a cell. `ok` means that it may return. */
  readonly ends: readonly (Code | "ok")[];
  /** What the result holds if something was reached that is not the guest's. */
  readonly leak?: RegExp;
}

export interface Group {
  readonly title: string;
  readonly cases: readonly HazardCase[];
}

/** Stands in the host's environment while a case runs: a guest that shows it has read that. */
export const CANARY = "canary-7f3a9c";
