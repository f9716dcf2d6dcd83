import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { after, before, test } from "node:test";
import { makeTempFolder, toolFile } from "../support/capabilities.ts";
import { runCommand } from "../support/command.ts";
import { makeEngine } from "../support/engines.ts";

const ROOT = path.join(import.meta.dirname, "..", "..");
const project = makeTempFolder();
after(() => project[Symbol.dispose]());
const folder = path.join(project.path, "greeter");

before(async () => {
  mkdirSync(path.join(project.path, "node_modules"));
  symlinkSync(ROOT, path.join(project.path, "node_modules", "toolcell"));
  const { code, stderr } = await runCommand(["new", "greeter"], { cwd: project.path });
  assert.equal(code, 0, stderr);
});

/** What the compiler says of the capability with one more file. */
function compile(source: string): readonly string[] {
  writeFileSync(path.join(folder, "_more.ts"), source);
  const compiler = path.join(ROOT, "node_modules", "typescript", "bin", "tsc");
  const { stdout } = spawnSync(process.execPath, [compiler, "-p", folder], { encoding: "utf8", cwd: project.path });
  return stdout.split("\n").filter((line) => line.includes("error TS"));
}

/** The names on the global object of a cell that the language itself does not put there. */
async function listGlobals(): Promise<readonly string[]> {
  const run = 'const run = () => JSON.stringify(Object.getOwnPropertyNames(globalThis).filter((name) => name !== "__toolcell_load"));';
  await using made = await makeEngine({ "names/names.js": toolFile("names", run) });
  const names = JSON.parse((await made.engine.call("names")).text) as string[];
  const ofLanguage = new Set(spawnSync(process.execPath, ["-p", LANGUAGE], { encoding: "utf8" }).stdout.trim().split(","));
  return names.filter((name) => !ofLanguage.has(name));
}

const LANGUAGE = 'require("node:vm").runInNewContext("Object.getOwnPropertyNames(globalThis).join()")';

test("a new capability compiles, tests included", () => {
  assert.deepEqual(compile("export {};\n"), []);
});

for (const name of ["process", "document", "Buffer", "require", "window", "WebSocket", "localStorage", "__dirname"]) {
  test(`${name} is a compile error in a capability`, () => {
    const [first = "", ...others] = compile(`void ${name};\nexport {};\n`);
    assert.match(first, new RegExp(`^greeter/_more\\.ts\\(1,6\\): error TS\\d+: .*'${name}'`));
    assert.deepEqual(others, []);
  });
}

test("everything that stands on the global object of a cell has a type, and nothing else has", async () => {
  const names = (await listGlobals()).filter((name) => name !== "console");
  assert.ok(names.includes("fetch") && names.includes("crypto"));
  assert.deepEqual(compile(`${names.map((name) => `void ${name};`).join("\n")}\nexport {};\n`), []);
  const types = readFileSync(path.join(ROOT, "dist", "runtime-api", "globals.d.ts"), "utf8");
  const declared = [...types.matchAll(/^declare (?:var|function|namespace) (\w+)/gm)].map(([, name = ""]) => name);
  // Only where it is granted.
  const known = new Set([...names, "console", "WebAssembly"]);
  assert.deepEqual(
    [...new Set(declared)].filter((name) => !known.has(name)),
    [],
  );
});

test("what a cell has is used with its types", () => {
  const source = `const { signal } = new AbortController();
const response: Response = await fetch(new URL("/a", "https://example.com"), { signal, headers: { accept: "text/plain" } });
for await (const chunk of response.body ?? []) console.log(new TextDecoder().decode(chunk), crypto.randomUUID());
const timer: number = setTimeout((text: string) => console.info(text), 10, "later");
clearTimeout(timer);
export const copy: { a: number } = structuredClone({ a: performance.now() });
`;
  assert.deepEqual(compile(source), []);
  assert.match(compile('export const wrong: number = btoa("a");\n').join(), /error TS2322/);
});
