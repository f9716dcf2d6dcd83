import { toJsonSchema } from "@langchain/core/utils/json_schema";
import { toJSONSchema, type $ZodType } from "zod/v4/core";
import { ADAPTER } from "../../../src/catalogue/texts.ts";
import { ToolError } from "../../tool-error.ts";
import { isLazy, isStandard } from "./package-validate.ts";

const NO_ARGUMENTS = { type: "object", properties: {}, additionalProperties: false };

/** JSON Schema for whatever schema a tool has. What JSON Schema cannot say is left to the tool's own check of its arguments. */
export async function toInputSchema(given: unknown): Promise<unknown> {
  if (given === undefined || given === null) return NO_ARGUMENTS;
  const schema = isLazy(given) ? given() : given;
  if ((typeof schema !== "object" && typeof schema !== "function") || schema === null) return schema;
  if ("_zod" in schema) return toJSONSchema(schema as $ZodType, { io: "input", unrepresentable: "any" });
  // Zod before version 4.
  if ("_def" in schema && "safeParse" in schema) return toJsonSchema(schema as Parameters<typeof toJsonSchema>[0]);
  // The AI SDK's own, which may be made only when it is asked for.
  if ("jsonSchema" in schema && "validate" in schema) return await schema.jsonSchema;
  return isStandard(schema) ? fromStandard(schema) : schema;
}

interface Described {
  readonly vendor?: unknown;
  readonly jsonSchema?: { input(options: { readonly target: string }): unknown };
}

function fromStandard(schema: { readonly "~standard": object }): unknown {
  const { vendor, jsonSchema } = schema["~standard"] as Described;
  if (jsonSchema === undefined) throw new ToolError(ADAPTER.noJsonSchema(String(vendor).slice(0, 80)));
  return jsonSchema.input({ target: "draft-2020-12" });
}
