import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { sharedFolder } from "../support/shared-data.ts";

export const PROJECT = fileURLToPath(new URL("../..", import.meta.url));

/** Where the official JSON Schema Test Suite stands, read in place; null where it does not. */
export const SUITE_FOLDER = findSuite();

const DIALECTS = {
  draft7: "http://json-schema.org/draft-07/schema#",
  "draft2020-12": "https://json-schema.org/draft/2020-12/schema",
};

/** The folders of the suite that are run: of both dialects that tools may use, what is required, what is optional and the formats. */
export const PARTS = Object.entries(DIALECTS).flatMap(([folder, dialect]) =>
  ["", "/optional", "/optional/format"].map((inner) => ({ name: `${folder}${inner}`, dialect })),
);

/** One schema of the suite, with the values that it is tried on. */
export interface Group {
  /** The file below the suite's `tests`. */
  readonly file: string;
  readonly description: string;
  /** The schema as that of a tool's one argument, `value`. */
  readonly inputSchema: unknown;
  readonly tests: readonly { readonly description: string; readonly data: unknown; readonly valid: boolean }[];
}

export function readGroups({ name, dialect }: (typeof PARTS)[number]): readonly Group[] {
  const folder = path.join(SUITE_FOLDER ?? "", "tests", name);
  const files = readdirSync(folder).filter((file) => file.endsWith(".json"));
  return files.sort().flatMap((file) => {
    const groups = JSON.parse(readFileSync(path.join(folder, file), "utf8")) as (Omit<Group, "file" | "inputSchema"> & {
      schema: unknown;
    })[];
    return groups.map(({ schema, description, tests }) => ({
      file: `${name}/${file}`,
      description,
      inputSchema: toInputSchema(schema, dialect),
      tests,
    }));
  });
}

/** `$id` makes a schema a whole of its own within the other, so that `#` in it still means its own root. */
function toInputSchema(schema: unknown, dialect: string): unknown {
  const value = typeof schema === "object" && schema !== null ? { $id: "urn:case", ...schema } : schema;
  return { $schema: dialect, type: "object", properties: { value }, required: ["value"] };
}

/** Where an environment variable says, else beside the project. */
function findSuite(): string | null {
  const folder = sharedFolder("json-schema-test-suite");
  return existsSync(path.join(folder, "tests")) ? folder : null;
}
