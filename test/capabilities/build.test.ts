import assert from "node:assert/strict";
import { mkdtemp, readdir, readFile, rm, writeFile, mkdir } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { parseExpression, parse } from "@babel/parser";
import { buildCapabilities, type BuiltCapability } from "../../build/capabilities.ts";

let parent: string;
let first: string;
let built: readonly BuiltCapability[];

before(async () => {
  parent = await mkdtemp(join(tmpdir(), "toolcell-build-"));
  first = join(parent, "first");
  built = await buildCapabilities(first);
});
after(() => rm(parent, { recursive: true, force: true }));

test("two builds give the same bytes, and what was there before is gone", async () => {
  const second = join(parent, "second");
  await mkdir(join(second, "text"), { recursive: true });
  await writeFile(join(second, "text", "left-over.js"), "export const NAME = 'old';");
  await buildCapabilities(second);
  assert.deepEqual(await readAll(second), await readAll(first));
});

test("the four capabilities have the tools they promise", async () => {
  const names: Record<string, string[]> = {};
  for (const { name } of built) {
    const constants = await Promise.all((await toolFiles(name)).map((file) => readConstants(join(first, name, file))));
    names[name] = constants.map(({ NAME }) => String(NAME)).sort();
  }
  assert.deepEqual(names, {
    data: ["data_from_csv", "data_query", "data_summary", "data_to_csv"],
    math: ["math_evaluate", "math_statistics"],
    text: ["text_diff", "text_extract", "text_search", "text_stats"],
    time: ["time_add", "time_convert", "time_difference", "time_next"],
  });
});

test("every constant of a built file is a plain literal", async () => {
  for (const { name } of built) {
    const index = await readConstants(join(first, name, "index.js"));
    assert.deepEqual(Object.keys(index).sort(), ["DESCRIPTION", "LABEL", "LICENSE", "VERSION"], name);
    for (const file of await toolFiles(name)) {
      const constants = await readConstants(join(first, name, file));
      assert.equal(typeof constants["DESCRIPTION"], "string", file);
      assert.equal(typeof constants["INPUT_SCHEMA"], "object", file);
    }
  }
});

test("a built file imports only the runtime API and files of its own folder", async () => {
  for (const [file, source] of await readAll(first)) {
    if (!file.endsWith(".js")) continue;
    for (const statement of parse(source, { sourceType: "module" }).program.body) {
      if (!("source" in statement) || !statement.source) continue;
      assert.match(statement.source.value, /^(?:toolcell\/tool|\.{1,2}\/[\w./-]+)$/, file);
    }
    assert.doesNotMatch(source, /\brequire\(["']/, `${file} requires a module at run time`);
  }
});

test("the licence of every bundled library is shipped with it", async () => {
  for (const { name, libraries } of built) {
    assert.ok(libraries.length > 0, name);
    const text = await readFile(join(first, name, "LICENSES.txt"), "utf8");
    for (const library of libraries) assert.ok(text.includes(`\n${library.replace(/^.*node_modules\//, "")} `), `${library} in ${name}`);
    assert.match(text, /permission|redistribut|licen[sc]e/i);
  }
});

test("the sizes reported are those on disk", async () => {
  const all = await readAll(first);
  for (const { name, bytes } of built) {
    const onDisk = [...all].filter(([file]) => file.startsWith(`${name}/`)).reduce((sum, [, source]) => sum + Buffer.byteLength(source), 0);
    assert.equal(bytes, onDisk, name);
  }
});

async function toolFiles(name: string): Promise<string[]> {
  return (await readdir(join(first, name))).filter((file) => file.endsWith(".js") && file !== "index.js");
}

async function readAll(folder: string): Promise<Map<string, string>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
  return new Map(await Promise.all(files.map(async (file) => [file.slice(folder.length + 1), await readFile(file, "utf8")] as const)));
}

/** The upper-case constants of a file, each of which must be a literal that JSON could hold. */
async function readConstants(file: string): Promise<Record<string, unknown>> {
  const source = await readFile(file, "utf8");
  const exported =
    /export \{([^}]*)\}/
      .exec(source)?.[1]
      ?.split(",")
      .map((name) => name.trim()) ?? [];
  const constants: Record<string, unknown> = {};
  for (const statement of parse(source, { sourceType: "module" }).program.body) {
    if (statement.type !== "VariableDeclaration") continue;
    for (const { id, init } of statement.declarations) {
      if (id.type !== "Identifier" || !exported.includes(id.name) || !init) continue;
      constants[id.name] = toLiteral(parseExpression(source.slice(init.start ?? 0, init.end ?? 0)), `${file} ${id.name}`);
    }
  }
  return constants;
}

type Expression = ReturnType<typeof parseExpression>;

function toLiteral(node: Expression, where: string): unknown {
  if (node.type === "StringLiteral" || node.type === "NumericLiteral" || node.type === "BooleanLiteral") return node.value;
  if (node.type === "TemplateLiteral" && node.expressions.length === 0) return node.quasis[0]?.value.cooked; // How esbuild writes a text with both kinds of quotes.
  if (node.type === "UnaryExpression" && node.operator === "-" && node.argument.type === "NumericLiteral") return -node.argument.value;
  if (node.type === "ArrayExpression") return node.elements.map((item) => toLiteral(item as Expression, where));
  if (node.type === "ObjectExpression") {
    return Object.fromEntries(
      node.properties.map((property) => {
        assert.ok(property.type === "ObjectProperty" && !property.computed, `${where} is computed`);
        const key = property.key.type === "Identifier" ? property.key.name : toLiteral(property.key as Expression, where);
        return [String(key), toLiteral(property.value as Expression, where)];
      }),
    );
  }
  return assert.fail(`${where} holds a ${node.type}, which is no literal`);
}
