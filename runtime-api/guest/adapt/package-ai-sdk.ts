import { ADAPTER } from "../../../src/catalogue/texts.ts";
import { ToolError } from "../../tool-error.ts";
import { fromBlocks, isBlocks, toJsonResult } from "./package-result.ts";
import type { PackageTool } from "./package-tool.ts";
import { checked } from "./package-validate.ts";

interface AiSdkTool {
  readonly description?: unknown;
  readonly inputSchema?: unknown;
  /** What it was called before version 5. */
  readonly parameters?: unknown;
  readonly needsApproval?: unknown;
  execute?(input: unknown, options: object): unknown;
  toModelOutput?(about: object): unknown;
}

/** A tool of the AI SDK: `tool()` of `ai`. It has no name; whoever registers it gives it one. */
export function fromAiSdk(given: object, shown: string): PackageTool | string {
  const tool = given as AiSdkTool;
  const { description, inputSchema, parameters, execute, needsApproval } = tool;
  if (typeof execute !== "function") return ADAPTER.noExecute(shown);
  const schema = inputSchema ?? parameters;
  return {
    name: null,
    description,
    schema,
    // Who may be asked for approval is not known here, so that its owner has to allow it by name.
    profile: needsApproval === undefined || needsApproval === false ? null : { gated: true },
    run: (context, args) => runTool(tool, schema, context, args),
    unload: undefined,
  };
}

interface Context {
  readonly callId: string;
  readonly signal: unknown;
  progress(fraction: null): void;
}

async function runTool(tool: AiSdkTool, schema: unknown, context: unknown, args: unknown): Promise<unknown> {
  const { callId: toolCallId, signal: abortSignal } = context as Context;
  const input = await checked(schema, args);
  const given = tool.execute?.(input, { toolCallId, messages: [], abortSignal, context: {} });
  const output = isStream(given) ? await lastOf(given, context as Context) : await given;
  if (typeof tool.toModelOutput !== "function") return toJsonResult(output);
  return toModelResult(await tool.toModelOutput({ toolCallId, input, output }), output);
}

function isStream(value: unknown): value is AsyncIterable<unknown> {
  return typeof value === "object" && value !== null && Symbol.asyncIterator in value;
}

/** Of what it yields each is the whole result so far. */
async function lastOf(stream: AsyncIterable<unknown>, context: Context): Promise<unknown> {
  let last: unknown;
  for await (const value of stream) {
    last = value;
    context.progress(null);
  }
  return last;
}

/** What it has for the model in the place of what it gave. */
function toModelResult(given: unknown, output: unknown): unknown {
  if (typeof given !== "object" || given === null) return toJsonResult(output);
  const { type, value, reason } = given as { readonly type?: unknown; readonly value?: unknown; readonly reason?: unknown };
  const text = typeof value === "string" ? value : (JSON.stringify(value) ?? "");
  switch (type) {
    case "text":
    case "json":
      return { text, payload: output };
    case "content":
      return isBlocks(value) ? fromBlocks(value, output) : { text, payload: output };
    case "error-text":
    case "error-json":
      throw new ToolError(text);
    case "execution-denied":
      throw new ToolError(typeof reason === "string" && reason !== "" ? reason : ADAPTER.denied);
    default:
      return toJsonResult(output);
  }
}
