import type { CodeKeywordDefinition, KeywordCxt } from "ajv";
import { _, not, or, type Name } from "ajv/dist/compile/codegen/index.js";
import namesModule from "ajv/dist/compile/names.js";
import { alwaysValidSchema } from "ajv/dist/compile/util.js";

const { errors } = namesModule.default;

// As the package's own, but a fault says of each branch how many of the faults before it are of that branch: so a model
// is told what each form wants. Where the first fault is all that is asked for, a branch makes none.

export const anyOfKeyword: CodeKeywordDefinition = {
  keyword: "anyOf",
  schemaType: "array",
  trackErrors: true,
  error: { message: "must match a schema in anyOf", params: ({ params }) => _`{counts: ${params["counts"] ?? null}}` },
  code(cxt) {
    const { gen } = cxt;
    const branches: readonly unknown[] = cxt.schema;
    if (branches.some((branch) => isAlwaysValid(cxt, branch))) return;
    const valid = gen.let("valid", false);
    const counts = startCounts(cxt);
    gen.block(() => {
      for (const index of branches.keys()) {
        const isValid = checkBranch(cxt, index, counts);
        gen.assign(valid, or(valid, isValid));
        gen.if(not(valid));
      }
    });
    cxt.result(
      valid,
      () => cxt.reset(),
      () => cxt.error(true),
    );
  },
};

export const oneOfKeyword: CodeKeywordDefinition = {
  keyword: "oneOf",
  schemaType: "array",
  trackErrors: true,
  error: {
    message: "must match exactly one schema in oneOf",
    params: ({ params }) => _`{passing: ${params["passing"] ?? null}, counts: ${params["counts"] ?? null}}`,
  },
  code(cxt) {
    const { gen } = cxt;
    const branches: readonly unknown[] = cxt.schema;
    const valid = gen.let("valid", false);
    const passing = gen.let("passing", null);
    cxt.setParams({ passing });
    const counts = startCounts(cxt);
    gen.block(() => {
      for (const index of branches.keys()) {
        const isValid = checkBranch(cxt, index, counts);
        gen.if(_`${isValid} && ${valid}`);
        gen.assign(valid, false);
        gen.assign(passing, _`[${passing}, ${index}]`);
        gen.else();
        gen.if(isValid, () => {
          gen.assign(valid, true);
          gen.assign(passing, index);
        });
      }
    });
    cxt.result(
      valid,
      () => cxt.reset(),
      () => cxt.error(true),
    );
  },
};

/** A list that each branch adds to, or null where faults are not told. */
function startCounts(cxt: KeywordCxt): Name | null {
  if (cxt.it.allErrors !== true || cxt.it.createErrors === false) return null;
  const counts = cxt.gen.let("counts", _`[]`);
  cxt.setParams({ counts }, true);
  return counts;
}

function checkBranch(cxt: KeywordCxt, index: number, counts: Name | null): Name {
  const { gen, keyword } = cxt;
  const isValid = gen.name("isValid");
  const before = counts === null ? null : gen.const("before", errors);
  const branch: unknown = cxt.schema[index];
  if (isAlwaysValid(cxt, branch)) gen.var(isValid, true);
  else cxt.subschema({ keyword, schemaProp: index, compositeRule: true, ...(counts === null && { createErrors: false }) }, isValid);
  if (counts !== null && before !== null) gen.code(_`${counts}.push(${errors} - ${before})`);
  return isValid;
}

function isAlwaysValid({ it }: KeywordCxt, schema: unknown): boolean {
  return alwaysValidSchema(it, schema as boolean) === true;
}
