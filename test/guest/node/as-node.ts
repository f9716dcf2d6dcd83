import assert from "node:assert/strict";
import { createRequire } from "node:module";
import { after, before, test } from "node:test";
import { toolFile } from "../../support/capabilities.ts";
import { makeEngine, type TestEngine } from "../../support/engines.ts";

const require = createRequire(import.meta.url);

/** Node's modules by their names, here or in a guest; `Buffer` and `process` come with them. */
// oxlint-disable-next-line typescript/no-explicit-any -- the same source runs over two sets of modules
export type Modules = Readonly<Record<string, any>>;
export type Cases = Readonly<Record<string, (modules: Modules) => unknown>>;

/**
 * Runs the source of each case twice, with Node's own modules here and with ours in a guest, and holds one answer against
 * the other. A case uses what it is given and nothing of this file; its answer is JSON, or an error's name, code and message.
 */
export function sameAsNode(names: readonly string[], cases: Cases): void {
  let made: TestEngine;
  before(async () => {
    const imports = names.map((name, at) => `import m${at} from "node:${name}";`).join("\n");
    const modules = `const modules = { ${names.map((name, at) => `${JSON.stringify(name)}: m${at}`).join(", ")} };`;
    const sources = Object.entries(cases).map(([name, source]) => `${JSON.stringify(name)}: ${source.toString()}`);
    const code = `${imports}\n${modules}\nconst cases = { ${sources.join(",\n")} };\n${answerOf.toString()}\n`;
    const run = `const run = async (_, { name }) => toAscii(JSON.stringify(await answerOf(cases[name], modules)));
${toAscii.toString()}`;
    const schema = '{ type: "object", properties: { name: { type: "string" } } }';
    made = await makeEngine({ "compared/ask.js": toolFile("ask", run, { code, schema }) });
  });
  after(() => made[Symbol.asyncDispose]());

  for (const [name, source] of Object.entries(cases)) {
    test(`${names[0]}: ${name}, as Node does`, async () => {
      const modules = Object.fromEntries(names.map((module) => [module, require(`node:${module}`)]));
      const expected: unknown = JSON.parse(JSON.stringify(await answerOf(source, modules)));
      const outcome = await made.engine.call("ask", { name });
      assert.equal(outcome.ok, true, outcome.text);
      assert.deepEqual(JSON.parse(outcome.text), expected);
    });
  }
}

/** What a model reads has no control characters in it. */
function toAscii(json: string): string {
  return json.replaceAll(/[\u007f-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

/** What a case comes to: its value, or what it threw. Runs here and, as text, in the guest. */
async function answerOf(source: (modules: Modules) => unknown, modules: Modules): Promise<unknown> {
  try {
    return { value: (await source(modules)) ?? null };
  } catch (error) {
    const { name, code, message } = error as { name: string; code?: string; message: string };
    return { thrown: { name, code: code ?? null, message } };
  }
}
