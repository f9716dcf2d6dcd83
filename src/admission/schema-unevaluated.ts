import type { CodeKeywordDefinition, KeywordCxt } from "ajv";
import { _, and, nil, not, or, stringify, type Code, type Name } from "ajv/dist/compile/codegen/index.js";
import { resetErrorsCount } from "ajv/dist/compile/errors.js";
import namesModule from "ajv/dist/compile/names.js";
import { alwaysValidSchema, Type } from "ajv/dist/compile/util.js";
import { propertyInData, usePattern } from "ajv/dist/vocabularies/code.js";
import { isJsonObject, type Json, type JsonObject } from "../catalogue/json.ts";
import { followLink, type LinkedSchema } from "./schema-link.ts";
import { readEvaluated, type Case, type Evaluated, type PartReader } from "./schema-evaluated.ts";

// The package keeps count of what is evaluated while it checks, and has no count for `contains`, for an `if` alone and for
// items in several places. These two ask each schema that speaks of a part whether it holds, and then look at the rest.

const { errors } = namesModule.default;

interface Items {
  readonly prefixCount: number;
  readonly contains: Json | undefined;
}

const ITEMS: PartReader<Items> = {
  unevaluated: "unevaluatedItems",
  readOwn({ items, prefixItems, contains }) {
    if (items !== undefined) return "all";
    const prefixCount = Array.isArray(prefixItems) ? prefixItems.length : 0;
    return prefixCount === 0 && contains === undefined ? null : { prefixCount, contains };
  },
};

interface Properties {
  readonly names: readonly string[];
  readonly patterns: readonly string[];
}

const PROPERTIES: PartReader<Properties> = {
  unevaluated: "unevaluatedProperties",
  readOwn({ properties = {}, patternProperties = {}, additionalProperties }) {
    if (additionalProperties !== undefined) return "all";
    const [names, patterns] = [Object.keys(properties ?? {}), Object.keys(patternProperties ?? {})];
    return names.length + patterns.length === 0 ? null : { names, patterns };
  },
};

export const unevaluatedItemsKeyword: CodeKeywordDefinition = {
  keyword: "unevaluatedItems",
  type: "array",
  schemaType: ["boolean", "object"],
  trackErrors: true,
  error: { message: "must not hold this item", params: ({ params }) => _`{index: ${params["part"] ?? null}}` },
  code(cxt) {
    const { gen, data } = cxt;
    checkUnevaluated(cxt, ITEMS, Type.Num, (check) => gen.forRange("index", 0, _`${data}.length`, check), isEvaluatedItem);
  },
};

export const unevaluatedPropertiesKeyword: CodeKeywordDefinition = {
  keyword: "unevaluatedProperties",
  type: "object",
  schemaType: ["boolean", "object"],
  trackErrors: true,
  error: { message: "must not have this property", params: ({ params }) => _`{unevaluatedProperty: ${params["part"] ?? null}}` },
  code(cxt) {
    const { gen, data } = cxt;
    checkUnevaluated(cxt, PROPERTIES, Type.Str, (check) => gen.forIn("name", data, check), isEvaluatedProperty);
  },
};

/** What may be spoken of, and whether it is: known while compiling where nothing depends on the value. */
interface Spoken<Part> {
  readonly part: Part;
  readonly isOn: Name | true;
}

function checkUnevaluated<Part>(
  cxt: KeywordCxt,
  reader: PartReader<Part>,
  type: Type,
  forEach: (check: (at: Name) => void) => void,
  isEvaluated: (cxt: KeywordCxt, part: Part, at: Name) => Code | Name,
): void {
  const { gen, it, errsCount } = cxt;
  if (alwaysValidSchema(it, cxt.schema) === true) return;
  const linked = toLinked(cxt);
  const evaluated = readEvaluated(cxt.parentSchema as JsonObject, reader, (reference) => followLink(reference, linked));
  if (evaluated.isAll) return;
  const isAll = gen.let("isAll", false);
  const spoken = emitCases(cxt, evaluated, isAll);
  // What the cases had to say against the value is no fault of it.
  cxt.reset();
  gen.if(not(isAll), () => {
    forEach((at) => {
      const isSpoken = gen.let("isSpoken", false);
      for (const { part, isOn } of spoken) {
        gen.if(isOn === true ? not(isSpoken) : and(isOn, not(isSpoken)), () => gen.assign(isSpoken, isEvaluated(cxt, part, at)));
      }
      gen.if(not(isSpoken), () => checkPart(cxt, at, type));
    });
  });
  if (errsCount !== undefined) cxt.ok(_`${errsCount} === ${errors}`);
}

/** The whole that is being compiled. */
function toLinked({ it }: KeywordCxt): LinkedSchema {
  const root = it.schemaEnv.root.schema as JsonObject;
  const { $defs } = root;
  return { root, defs: isJsonObject($defs) ? Object.values($defs) : [] };
}

/** Code that finds out, once for the value, which cases hold. */
function emitCases<Part>(cxt: KeywordCxt, evaluated: Evaluated<Part>, isAll: Name): readonly Spoken<Part>[] {
  const { gen } = cxt;
  const spoken: Spoken<Part>[] = [];

  /** Declares what a case may turn on, and returns what writes it. */
  function plan(inner: Evaluated<Part>, isCertain: boolean): () => void {
    const steps: (() => void)[] = [];
    if (inner.isAll) steps.push(() => void gen.assign(isAll, true));
    if (inner.own !== null) {
      const isOn = isCertain ? true : gen.let("isOn", false);
      spoken.push({ part: inner.own, isOn });
      if (isOn !== true) steps.push(() => void gen.assign(isOn, true));
    }
    steps.push(...inner.always.map((always) => plan(always, isCertain)));
    steps.push(...inner.cases.map(planCase));
    return () => {
      for (const step of steps) step();
    };
  }

  function planCase({ when, ifSo, ifNot }: Case<Part>): () => void {
    const [onSo, onNot] = [plan(ifSo, false), plan(ifNot, false)];
    return () => void gen.if(emitCondition(cxt, when), onSo, onNot);
  }

  plan(evaluated, true)();
  return spoken;
}

function emitCondition(cxt: KeywordCxt, when: Case<unknown>["when"]): Code {
  if ("property" in when) return propertyInData(cxt.gen, cxt.data, when.property, true);
  return emitSilently(cxt, when.schema, {});
}

function isEvaluatedItem(cxt: KeywordCxt, { prefixCount, contains }: Items, index: Name): Code {
  const isInPrefix = _`${index} < ${prefixCount}`;
  if (contains === undefined) return isInPrefix;
  const { gen } = cxt;
  const before = gen.const("before", errors);
  const isContained = emitSilently(cxt, contains, { dataProp: index, dataPropType: Type.Num });
  resetErrorsCount(gen, before);
  return or(isInPrefix, isContained);
}

function isEvaluatedProperty(cxt: KeywordCxt, { names, patterns }: Properties, name: Name): Code {
  const isNamed = names.map((known) => _`${name} === ${known}`);
  const isMatching = patterns.map((pattern) => _`${usePattern(cxt, pattern)}.test(${name})`);
  return or(...isNamed, ...isMatching);
}

/** Whether a schema holds; what it finds is for the caller to forget. */
function emitSilently(cxt: KeywordCxt, schema: Json, data: { readonly dataProp?: Name; readonly dataPropType?: Type }): Name {
  const { gen, it } = cxt;
  const holds = gen.name("holds");
  const topSchemaRef = gen.scopeValue("schema", { ref: schema, code: stringify(schema) });
  const place = { schema: schema as boolean, schemaPath: nil, topSchemaRef, errSchemaPath: it.errSchemaPath };
  cxt.subschema({ ...place, ...data, compositeRule: true, createErrors: false, allErrors: false }, holds);
  return holds;
}

/** A part that nothing speaks of. */
function checkPart(cxt: KeywordCxt, at: Name, type: Type): void {
  const { gen, it, keyword } = cxt;
  if (cxt.schema === false) {
    cxt.setParams({ part: at });
    cxt.error();
    if (it.allErrors !== true) gen.break();
    return;
  }
  const isValid = gen.name("isValid");
  cxt.subschema({ keyword, dataProp: at, dataPropType: type }, isValid);
  if (it.allErrors !== true) gen.if(not(isValid), () => gen.break());
}
