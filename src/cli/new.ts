import { mkdir, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { CLI } from "../catalogue/texts.ts";
import { FOLDER_NAME } from "../admission/folder.ts";
import { CommandFailure, onlyWord, UsageError, type CommandLine } from "./command-line.ts";
import { EXIT } from "./exit.ts";
import { report } from "./report.ts";

/** `toolcell new <name>`: a capability to start from, in a new folder of that name. */
export async function newCommand(line: CommandLine): Promise<number> {
  const name = onlyWord(line, "a name for the capability");
  if (!FOLDER_NAME.test(name)) throw new UsageError(CLI.badName(name));
  const folder = resolve(name);
  try {
    await mkdir(folder);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const isThere = code === "EEXIST";
    throw new CommandFailure(
      isThere ? "EXISTS" : "CANNOT_MAKE",
      isThere ? CLI.exists(name) : CLI.cannotMake(name, code ?? "unknown error"),
    );
  }
  const tool = `${name.replaceAll("-", "_")}_greet`;
  const label = name.replaceAll(/[-_]+/gu, " ").replaceAll(/\b[a-z]/gu, (letter) => letter.toUpperCase());
  await writeFile(join(folder, "index.ts"), indexSource(label));
  await writeFile(join(folder, "greet.ts"), toolSource(tool));
  await writeFile(join(folder, "greet.test.ts"), testSource(tool));
  await writeFile(join(folder, "tsconfig.json"), CONFIG);
  report(line.flags, { made: name, tool }, CLI.made(name, tool));
  return EXIT.ok;
}

function indexSource(label: string): string {
  return `export const LABEL = ${JSON.stringify(label)};
export const DESCRIPTION = "What this capability is for, in a sentence that its owner reads.";
export const VERSION = "0.1.0";
`;
}

function toolSource(tool: string): string {
  return `import { ToolError, type ToolContext, type ToolResult } from "toolcell/tool";

export const NAME = "${tool}";
export const DESCRIPTION = "Greet someone by name. Give the name; the greeting comes back.";
export const INPUT_SCHEMA = {
  type: "object",
  properties: { name: { type: "string", description: "Whom to greet." } },
  required: ["name"],
  additionalProperties: false,
};

export function run(context: ToolContext, { name }: { name: string }): ToolResult {
  if (name.trim() === "") throw new ToolError("There is nobody to greet: give a name.");
  context.log.info("greeting", name);
  return { text: \`Hello, \${name}!\`, summary: "greeted", payload: { name } };
}
`;
}

function testSource(tool: string): string {
  return `import { assert, call, test } from "toolcell/test";

test("greets by name", async () => {
  const { text } = await call("${tool}", { name: "Ada" });
  assert.equal(text, "Hello, Ada!");
});

test("says what is missing", async () => {
  const { error } = await call("${tool}", {});
  assert.equal(error?.code, "INVALID_ARGUMENTS");
});
`;
}

/** What there is in a cell and nothing else: no Node, no browser. */
const CONFIG = `{
  "compilerOptions": {
    "target": "es2024",
    "lib": ["es2024"],
    "types": ["toolcell/globals"],
    "module": "preserve",
    "moduleResolution": "bundler",
    "allowImportingTsExtensions": true,
    "verbatimModuleSyntax": true,
    "isolatedModules": true,
    "strict": true,
    "noEmit": true
  },
  "include": ["**/*.ts", "**/*.mts"]
}
`;
