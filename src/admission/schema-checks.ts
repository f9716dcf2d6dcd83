import type { CodeKeywordDefinition, KeywordCxt } from "ajv";
import { Name, _, type CodeGen } from "ajv/dist/compile/codegen/index.js";
import containsModule from "ajv/dist/vocabularies/applicator/contains.js";
import { FORMATS, type Check } from "./schema-formats.ts";

const theirContains = containsModule.default;

/** What the code of a compiled schema requires; found among the built `runtime-api/checks/` when it is bundled. */
export const CHECK_PREFIX = "toolcell:check/";

export const formatKeyword: CodeKeywordDefinition = {
  keyword: "format",
  type: ["number", "string"],
  schemaType: "string",
  error: { message: "must match the format", params: ({ schemaCode }) => _`{format: ${schemaCode}}` },
  code(cxt, ruleType) {
    const format = FORMATS.get(String(cxt.schema));
    if (format === undefined || format.check === null || format.type !== ruleType) return;
    cxt.pass(_`${useCheck(cxt.gen, format.check)}(${cxt.data})`);
  },
};

export const multipleOfKeyword: CodeKeywordDefinition = {
  keyword: "multipleOf",
  type: "number",
  schemaType: "number",
  error: { message: "must be a multiple", params: ({ schemaCode }) => _`{multipleOf: ${schemaCode}}` },
  code(cxt) {
    const { gen, data, schema, schemaCode } = cxt;
    // The remainder by a whole number is exact.
    if (Number.isInteger(schema)) cxt.pass(_`${data} % ${schemaCode} === 0`);
    else cxt.pass(_`${useCheck(gen, { file: "multiple", name: "isMultiple" })}(${data}, ${schemaCode})`);
  },
};

export const uniqueItemsKeyword: CodeKeywordDefinition = {
  keyword: "uniqueItems",
  type: "array",
  schemaType: "boolean",
  error: {
    message: "must not hold an item twice",
    params: ({ params }) => _`{i: ${repeatOf(params)}.second, j: ${repeatOf(params)}.first}`,
  },
  code(cxt) {
    if (cxt.schema !== true) return;
    const repeat = cxt.gen.const("repeat", _`${useCheck(cxt.gen, { file: "repeat", name: "findRepeat" })}(${cxt.data})`);
    cxt.setParams({ repeat });
    cxt.pass(_`${repeat} === null`);
  },
};

/** As the package's own, without the faults of every item that is not of the kind. */
export const containsKeyword: CodeKeywordDefinition = {
  ...theirContains,
  code(cxt) {
    const giveResult = cxt.result.bind(cxt);
    cxt.result = (condition, onSuccess) => {
      giveResult(condition, onSuccess, () => {
        cxt.reset();
        cxt.error();
      });
    };
    theirContains.code(cxt);
  },
};

function repeatOf(params: KeywordCxt["params"]): Name {
  const { repeat } = params;
  return repeat instanceof Name ? repeat : new Name("repeat");
}

/** The name under which generated code has a function of `runtime-api/checks/`. */
function useCheck(gen: CodeGen, { file, name }: Check): Name {
  const key = `${CHECK_PREFIX}${file}#${name}`;
  return gen.scopeValue("func", { key, ref: key, code: _`require(${CHECK_PREFIX + file}).${new Name(name)}` });
}
