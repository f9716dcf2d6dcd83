import { Ajv } from "ajv";

export const NAME = "ajv";
export const DESCRIPTION = "A schema with references compiled by `new Function`, defaults filled in, and every fault.";

const SCHEMA = {
  type: "object",
  properties: {
    name: { $ref: "#/$defs/word" },
    size: { enum: ["s", "m"], default: "m" },
    tags: { type: "array", items: { $ref: "#/$defs/word" } },
  },
  required: ["name"],
  additionalProperties: false,
  $defs: { word: { type: "string", pattern: "^[a-z]+$" } },
};

export function run() {
  const validate = new Ajv({ allErrors: true, useDefaults: true }).compile(SCHEMA);
  const good: Record<string, unknown> = { name: "tea", tags: ["hot"] };
  const isValid = validate(good);
  validate({ tags: ["HOT", 1], colour: "red" });
  return { isValid, good, faults: validate.errors?.map(({ instancePath, keyword }) => `${instancePath} ${keyword}`) };
}
