import type { CapabilityRecord } from "./record.ts";
import { schemaRuntimeOf } from "./schema-runtime.ts";
import type { Validators } from "./validators.ts";

interface CheckedTool {
  readonly name: string;
  readonly file: string;
  readonly module: string | null;
  readonly validators: Validators;
}

/** The module that a bundle is made from. A tool's code runs when it is first loaded: `import()` of a literal is bundled as a lazy module. */
export function toEntry(tools: readonly CheckedTool[]): string {
  const entries = tools.map(
    ({ name, file, module }) =>
      `  ${JSON.stringify(name)}: { file: ${JSON.stringify(file)}, load: () => import(${JSON.stringify(module ?? `./${file}`)}) },\n`,
  );
  return `export const tools = {\n  __proto__: null,\n${entries.join("")}};\n`;
}

/**
 * What a cell loads: the bundle, and after it the code that checks each tool's arguments. That code is ours and complete, so
 * that the bundler need not see it; it stands in a block of its own, where no name of it can be reached from the bundle.
 */
export function toBundleText(bundle: string, tools: readonly CheckedTool[], runtime: CapabilityRecord["runtime"]): string {
  const names = runtime === "worker" ? "__toolcell, require" : "__toolcell";
  return `__toolcell_load(function (${names}) { "use strict";\n${bundle}{\n${toChecks(tools)}}\nreturn __capability; });\n`;
}

function toChecks(tools: readonly CheckedTool[]): string {
  const checks = tools.map(({ name, validators: { first, all } }) => {
    const tool = `tools[${JSON.stringify(name)}]`;
    if (first === all) return `${tool}.validate = ${tool}.explain = check(${toFunction(all)});\n`;
    return `${tool}.validate = check(${toFunction(first)});\n${tool}.explain = check(${toFunction(all)});\n`;
  });
  const code = checks.join("");
  const modules = [...schemaRuntimeOf(code)].map(([name, source]) => `  ${JSON.stringify(name)}: ${toFunction(source)},\n`);
  return `${PREAMBLE}const sources = {\n  __proto__: null,\n${modules.join("")}};\n${code}`;
}

/** Each piece of code is a CommonJS module, and made when it is first asked for. */
const PREAMBLE = `const { tools } = __capability;
const make = (code) => { const module = { exports: {} }; code(module, module.exports, find); return module.exports; };
const made = { __proto__: null };
const find = (name) => (made[name] ??= make(sources[name]));
const check = (code) => { let validate; return async () => ({ __proto__: null, default: (validate ??= make(code)) }); };
`;

function toFunction(code: string): string {
  return `function (module, exports, require) {\n${code}\n}`;
}
