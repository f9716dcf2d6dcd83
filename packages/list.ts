import type { Json } from "toolcell";
import { ANSWERS } from "./answers.ts";
import versions from "./versions.json" with { type: "json" };

export interface Package extends Needs {
  readonly name: string;
  /** Installed exactly so. */
  readonly version: string;
  /** What its task in `tasks/` comes to. */
  readonly answer: Json;
}

interface Needs {
  /** Other packages of the list that the task imports. */
  readonly beside?: readonly (keyof typeof versions)[];
  /** Asks for WebAssembly, and is granted it. */
  readonly wasm?: true;
  /** Talks to the service on the loopback, and is granted that. */
  readonly service?: true;
}

/** No package that was published later is installed, whatever the dependencies of those pinned would take. */
export const PUBLISHED_BEFORE = "2026-11-30";

const NEEDS: Readonly<Partial<Record<string, Needs>>> = {
  "@langchain/core": { beside: ["zod"] },
  "@mozilla/readability": { beside: ["linkedom"] },
  "sql.js": { wasm: true },
  "@anthropic-ai/sdk": { service: true },
  "@octokit/rest": { service: true },
  axios: { service: true },
  openai: { service: true },
};

export const PACKAGES: readonly Package[] = Object.entries(versions).map(([name, version]) => {
  return { name, version, answer: ANSWERS[name as keyof typeof versions], ...NEEDS[name] };
});

/** The versions that a package and those beside it are pinned to. */
export function dependenciesOf({ name, version, beside = [] }: Package): Readonly<Record<string, string>> {
  return { [name]: version, ...Object.fromEntries(beside.map((other) => [other, versions[other]])) };
}
