import { Ajv, type ErrorObject, type Options } from "ajv";
import { Ajv2020 } from "ajv/dist/2020.js";
import standaloneModule from "ajv/dist/standalone/index.js";
import addFormatsModule from "ajv-formats";
import type { JsonObject } from "../catalogue/json.ts";
import { ADMISSION } from "../catalogue/texts.ts";
import { FileFault } from "./faults.ts";
import type { InputSchema } from "./schema.ts";
import type { Dialect } from "./schema-keywords.ts";
import { withoutIdentity } from "./schema-identity.ts";
import { quotable } from "./visible-text.ts";

/** Source text of two CommonJS modules that each are a function to check a tool's arguments. They run in the cell and never here. */
export interface Validators {
  /** Stops at the first fault where that saves anything. */
  readonly first: string;
  /** Finds every fault, to put into words. */
  readonly all: string;
}

// Both packages are CommonJS that calls itself a module: Node hands over the whole of it as the default.
const addFormats = addFormatsModule.default;
const standaloneCode = standaloneModule.default;

const OPTIONS = {
  // What `strict` looks for in keywords and formats is looked for before, in words of our own; the rest of it refuses
  // schemas that are in order, such as a default below anyOf.
  strict: false,
  strictNumbers: true,
  useDefaults: true,
  validateFormats: true,
  unicodeRegExp: true,
  ownProperties: true,
  // A `$ref` is a call and never a copy, so that the code grows with the schema and not with what it comes to.
  inlineRefs: false,
  logger: false,
} as const satisfies Options;

/** In what is valid only these leave something that did not fit: to find every fault of that would be for nothing. */
const ALTERNATIVES = /"(?:anyOf|oneOf|not|if|contains)":/;

/** Compiles a schema that has been held to its limits. Throws FileFault where it is no valid schema all the same. */
export function compileValidators({ inputSchema, dialect }: InputSchema): Validators {
  const schema = withoutIdentity(inputSchema);
  assertValid(schema, dialect);
  const all = toModule(schema, dialect, true);
  return { first: ALTERNATIVES.test(JSON.stringify(schema)) ? toModule(schema, dialect, false) : all, all };
}

/** One tool, one compiler: what a schema calls itself means nothing to another, nor to the schema of schemas. */
function createCompiler(dialect: Dialect, options: Options): Ajv {
  return addFormats(dialect === "2020-12" ? new Ajv2020({ ...OPTIONS, ...options }) : new Ajv({ ...OPTIONS, ...options }));
}

/** Hold nothing but the schema of schemas: what they check, they do not keep. */
const checkers = new Map<Dialect, Ajv>();

function assertValid(schema: JsonObject, dialect: Dialect): void {
  const checker = checkers.get(dialect) ?? createCompiler(dialect, {});
  checkers.set(dialect, checker);
  if (checker.validateSchema(schema) === true) return;
  const [first] = checker.errors ?? [];
  throw new FileFault(ADMISSION.schemaInvalid(toWords(first)));
}

function toWords(error: ErrorObject | undefined): string {
  if (error === undefined) return "it is no valid JSON Schema";
  const place = error.instancePath === "" ? "the schema" : `"${quotable(error.instancePath)}"`;
  const allowed: unknown = error.params["allowedValues"];
  return `${place} ${error.message ?? "is not valid"}${Array.isArray(allowed) ? `: ${allowed.join(", ")}` : ""}`;
}

function toModule(schema: JsonObject, dialect: Dialect, allErrors: boolean): string {
  const compiler = createCompiler(dialect, { allErrors, meta: false, validateSchema: false, code: { source: true, lines: false } });
  try {
    return standaloneCode(compiler, compiler.compile(schema));
  } catch (error) {
    throw new FileFault(ADMISSION.schemaInvalid(quotable(error instanceof Error ? error.message : "it cannot be compiled")));
  }
}
