import { copySchema, type ObjectSchema, type OfferedTool } from "./offered.ts";
import type { TextCall } from "./text-call.ts";

/** As much of what the AI SDK hands to `execute` as a call here heeds. */
export interface AiSdkCallOptions {
  readonly abortSignal?: AbortSignal | undefined;
  readonly toolCallId?: string;
}

// How the AI SDK knows a schema of its own, in every version that has `jsonSchema()`.
const SCHEMA: unique symbol = Symbol.for("vercel.ai.schema");

/**
 * A schema as the AI SDK's own `jsonSchema()` yields it, which is taken as it is, and as Standard JSON Schema besides, which is
 * what its types know without its being there. It accepts every value: the engine is who checks arguments, and who words what is
 * wrong with them.
 */
export interface AiSdkSchema {
  readonly [SCHEMA]: true;
  readonly jsonSchema: ObjectSchema;
  readonly validate: undefined;
  readonly "~standard": {
    readonly version: 1;
    readonly vendor: "toolcell";
    readonly validate: (value: unknown) => { readonly value: unknown };
    readonly jsonSchema: { readonly input: () => ObjectSchema; readonly output: () => ObjectSchema };
  };
}

export interface AiSdkTool {
  readonly description: string;
  readonly inputSchema: AiSdkSchema;
  /** Resolves with the text for the model, whatever became of the call. */
  readonly execute: (args: unknown, options?: AiSdkCallOptions) => Promise<string>;
}

/** Tools by name: what `generateText`, `streamText` and the agents of the AI SDK take as `tools`. */
export type AiSdkTools = Record<string, AiSdkTool>;

export function toAiSdkTools(tools: readonly OfferedTool[], call: TextCall): AiSdkTools {
  return Object.fromEntries(tools.map((tool) => [tool.name, toAiSdkTool(tool, call)]));
}

function toAiSdkTool({ name, description, inputSchema }: OfferedTool, call: TextCall): AiSdkTool {
  return {
    description,
    inputSchema: toAiSdkSchema(copySchema(inputSchema)),
    execute: (args, options) => call(name, args, { signal: options?.abortSignal }),
  };
}

function toAiSdkSchema(schema: ObjectSchema): AiSdkSchema {
  const standard = {
    version: 1,
    vendor: "toolcell",
    validate: (value: unknown) => ({ value }),
    jsonSchema: { input: () => schema, output: () => schema },
  } as const;
  return { [SCHEMA]: true, jsonSchema: schema, validate: undefined, "~standard": standard };
}
