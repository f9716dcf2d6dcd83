import standaloneModule from "ajv/dist/standalone/index.js";
import { ADMISSION } from "../catalogue/texts.ts";
import { FileFault, isStackOverflow } from "./faults.ts";
import { CHECK_PREFIX } from "./schema-checks.ts";
import { createCompiler } from "./schema-compiler.ts";
import { findDefaults } from "./schema-defaults.ts";
import type { LinkedSchema } from "./schema-link.ts";
import type { InputSchema } from "./schema.ts";
import { quotable } from "./visible-text.ts";

/** Source text of two CommonJS modules that each are a function to check a tool's arguments. They run in the cell and never here. */
export interface Validators {
  /** Stops at the first fault where that saves anything. */
  readonly first: string;
  /** Finds every fault, to put into words. */
  readonly all: string;
}

// The package is CommonJS that calls itself a module: Node hands over the whole of it as the default.
const standaloneCode = standaloneModule.default;

/** In what is valid only these leave something that did not fit: to find every fault of that would be for nothing. */
const ALTERNATIVES = /"(?:anyOf|oneOf|not|if|contains|unevaluated\w+)":/;

/** What was compiled in this thread, oldest first: many tools ask for the same, such as one text. It is text, and holds no state. */
const compiled = new Map<string, Validators>();
const COMPILED_COUNT = 256;
const COMPILED_CHARS = 16_384;

/** Compiles a schema that has been held to its limits. Throws FileFault where it cannot be compiled all the same. */
export function compileValidators({ linked }: InputSchema): Validators {
  const key = JSON.stringify([linked.root, [...linked.defs.entries()]]);
  const known = compiled.get(key);
  if (known !== undefined) return known;
  const validators = compileLinked(linked);
  const [oldest] = compiled.keys();
  if (compiled.size >= COMPILED_COUNT && oldest !== undefined) compiled.delete(oldest);
  if (key.length + validators.first.length + validators.all.length <= COMPILED_CHARS) compiled.set(key, validators);
  return validators;
}

function compileLinked(linked: LinkedSchema): Validators {
  const places = JSON.stringify(findDefaults(linked));
  const all = toModule(linked, places, true);
  return { first: ALTERNATIVES.test(JSON.stringify(linked)) ? toModule(linked, places, false) : all, all };
}

function toModule({ root, defs }: LinkedSchema, places: string, allErrors: boolean): string {
  try {
    const compiler = createCompiler(allErrors);
    const check = standaloneCode(compiler, compiler.compile({ ...root, $defs: Object.fromEntries(defs.entries()) }));
    return places === "[]" ? check : withDefaults(check, places);
  } catch (error) {
    const why =
      isStackOverflow(error) || !(error instanceof Error)
        ? "it is nested too deeply, or has too many alternatives, to be compiled"
        : error.message;
    throw new FileFault(ADMISSION.schemaInvalid(quotable(why)));
  }
}

const EXPORTS = /^"use strict";module\.exports = (\w+);module\.exports\.default = \w+;/;

/** Defaults never make a call fail but where a required one does not fit: the others are filled in once all is well. */
function withDefaults(module: string, places: string): string {
  const name = EXPORTS.exec(module)?.[1];
  if (name === undefined) throw new Error("it is compiled to a module of another form");
  return `"use strict";
const { fillDefaults } = require(${JSON.stringify(`${CHECK_PREFIX}defaults`)});
${module.replace(EXPORTS, "")}
const places = JSON.parse(${JSON.stringify(places)});
module.exports = function check(args) {
  fillDefaults(places, args, true);
  const isValid = ${name}(args);
  check.errors = ${name}.errors;
  if (isValid) fillDefaults(places, args, false);
  return isValid;
};
`;
}
