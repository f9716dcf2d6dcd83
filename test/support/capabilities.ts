import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

/** Contents by path; a path with slashes stands in folders of its own. */
export type Files = Readonly<Record<string, string | Uint8Array>>;

/** A folder of its own, gone when the scope that holds it ends. */
export interface TempFolder extends Disposable {
  readonly path: string;
}

export function makeTempFolder(): TempFolder {
  const folder = realpathSync(mkdtempSync(path.join(tmpdir(), "toolcell-test-")));
  return { path: folder, [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }) };
}

export function writeFiles(folder: string, files: Files): void {
  for (const [file, content] of Object.entries(files)) {
    const target = path.join(folder, file);
    mkdirSync(path.dirname(target), { recursive: true });
    writeFileSync(target, content);
  }
}

/** A tool file in order: `run` is the source of its `run`, `code` stands beside it, `schema` is "" for a tool without arguments. */
export function toolFile(name: string, run: string, { schema = '{ type: "object" }', code = "" } = {}): string {
  const input = schema === "" ? "" : `export const INPUT_SCHEMA = ${schema};\n`;
  return `import { ToolError } from "toolcell/tool";
export const NAME = "${name}";
export const DESCRIPTION = "Does ${name}.";
${input}${code}
export ${run}
void ToolError;
`;
}
