import { cpSync, mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { TEST_FILE } from "../admission/folder.ts";

/** A folder for the engine in which a capability stands beside another that holds its tests. */
export interface TestFolder extends Disposable {
  readonly root: string;
  /** Of the capability with the tests. It asks for nothing, and is granted nothing. */
  readonly tester: string;
  readonly files: readonly TestFile[];
}

export interface TestFile {
  /** Relative to the capability's folder, with "/". */
  readonly file: string;
  /** The tool that lists the tests of the file, or runs one. */
  readonly tool: string;
}

/** In the tester, the capability's own files: what tests import is held to their folder, as in every capability. */
const COPY = "_capability";
const NAME_CHARS = 40;
const SUFFIX = "_tests";

/** Lays it out. What it holds is gone once it is disposed of; the capability's own folder is only read. */
export function makeTestFolder(folder: string): TestFolder {
  const name = basename(folder);
  const tester = `${name.slice(0, NAME_CHARS - SUFFIX.length)}${SUFFIX}`;
  const files = findTestFiles(folder).map((file, index) => ({ file, tool: `${tester.replaceAll("-", "_")}_${index}` }));
  const root = realpathSync(mkdtempSync(join(tmpdir(), "toolcell-tests-")));
  const dispose = (): void => rmSync(root, { recursive: true, force: true });
  try {
    symlinkSync(realpathSync(folder), join(root, name), "junction");
    mkdirSync(join(root, tester));
    const isTaken = (from: string): boolean => basename(from) !== ".git";
    cpSync(folder, join(root, tester, COPY), { recursive: true, verbatimSymlinks: true, filter: isTaken });
    for (const { file, tool } of files) writeFileSync(join(root, tester, `${tool}.js`), toSource(tool, file));
  } catch (error) {
    dispose();
    throw error;
  }
  return { root, tester, files, [Symbol.dispose]: dispose };
}

/** What names files of the copy, with the names that they have in the capability's own folder. */
export function withoutCopy(text: string, tester: string): string {
  return text.replaceAll(`${tester}/${COPY}/`, "").replaceAll(`${COPY}/`, "");
}

function findTestFiles(folder: string): readonly string[] {
  return ["", "test/"].flatMap((place) => {
    const entries = readFolder(join(folder, place));
    return entries.filter((file) => TEST_FILE.test(file)).map((file) => `${place}${file}`);
  });
}

function readFolder(folder: string): readonly string[] {
  try {
    return readdirSync(folder).sort();
  } catch (error) {
    if (["ENOENT", "ENOTDIR"].includes((error as NodeJS.ErrnoException).code ?? "")) return [];
    throw error;
  }
}

function toSource(tool: string, file: string): string {
  return `import { loadTests } from "toolcell/test";
export const NAME = ${JSON.stringify(tool)};
export const DESCRIPTION = "Lists the tests of a file, or runs one.";
export const INPUT_SCHEMA = { type: "object", properties: { index: { type: "integer" } } };
let tests;
export async function run(context, { index }) {
  tests ??= await loadTests(() => import(${JSON.stringify(`./${COPY}/${file}`)}));
  if (index === undefined) return { text: "tests", payload: tests.map(({ name }) => name) };
  await tests[index].run();
  return "passed";
}
`;
}
