import type { Ajv, KeywordDefinition, Options, Vocabulary } from "ajv";
import coreModule from "ajv/dist/core.js";
import applicatorModule from "ajv/dist/vocabularies/applicator/index.js";
import coreVocabularyModule from "ajv/dist/vocabularies/core/index.js";
import nextModule from "ajv/dist/vocabularies/next.js";
import validationModule from "ajv/dist/vocabularies/validation/index.js";
import { containsKeyword, formatKeyword, multipleOfKeyword, uniqueItemsKeyword } from "./schema-checks.ts";
import { unevaluatedItemsKeyword, unevaluatedPropertiesKeyword } from "./schema-unevaluated.ts";
import { anyOfKeyword, oneOfKeyword } from "./schema-unions.ts";

// The package is CommonJS that calls itself a module: Node hands over the whole of each file as the default.
const Core = coreModule.default;

/** Ours, in place of those that the package checks otherwise than the standard says, or at a cost. */
const OURS: readonly KeywordDefinition[] = [
  anyOfKeyword,
  oneOfKeyword,
  containsKeyword,
  formatKeyword,
  multipleOfKeyword,
  uniqueItemsKeyword,
  unevaluatedItemsKeyword,
  unevaluatedPropertiesKeyword,
];

const THEIRS: Vocabulary = [
  ...coreVocabularyModule.default,
  ...applicatorModule.default(true),
  ...validationModule.default,
  ...nextModule.default,
];

const VOCABULARY: Vocabulary = [
  ...THEIRS.filter((theirs) => !OURS.some((ours) => typeof theirs !== "string" && ours.keyword === theirs.keyword)),
  ...OURS,
];

const OPTIONS = {
  // What `strict` looks for in keywords and formats is looked for before, in words of our own; the rest of it refuses
  // schemas that are in order, such as a type beside anyOf.
  strict: false,
  strictNumbers: true,
  unicodeRegExp: true,
  ownProperties: true,
  next: true,
  // A `$ref` is a call and never a copy, so that the code grows with the schema and not with what it comes to.
  inlineRefs: false,
  meta: false,
  validateSchema: false,
  logger: false,
  // Its optimizing takes time with the square of the code, and an engine does the same to code that runs.
  code: { source: true, lines: false, optimize: false },
} as const satisfies Options;

/** A compiler for one schema: what one calls itself or refers to is nothing to another. */
export function createCompiler(allErrors: boolean): Ajv {
  return new Core({ ...OPTIONS, allErrors }).addVocabulary(VOCABULARY);
}
