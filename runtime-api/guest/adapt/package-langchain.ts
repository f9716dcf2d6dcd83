import { ADAPTER } from "../../../src/catalogue/texts.ts";
import { ToolError } from "../../tool-error.ts";
import { fromBlocks, isBlocks, toJsonResult } from "./package-result.ts";
import type { PackageTool } from "./package-tool.ts";

/** As LangChain begins what it says of arguments that a tool's own schema does not take. */
const UNFIT = "Received tool input did not match expected schema";

interface LangChainTool {
  readonly name: unknown;
  readonly description: unknown;
  readonly schema: unknown;
  readonly responseFormat?: unknown;
  invoke(input: unknown, config: object): unknown;
}

/** A tool of LangChain's: `tool()`, or an instance of StructuredTool. */
export function fromLangChain(given: object, shown: string): PackageTool | string {
  const tool = given as LangChainTool;
  const { name, description, schema } = tool;
  if (typeof name !== "string") return ADAPTER.noOwnName(shown, "name");
  return { name, description, schema, profile: null, run: (context, args) => invoke(tool, name, context, args), unload: undefined };
}

async function invoke(tool: LangChainTool, name: string, context: unknown, args: unknown): Promise<unknown> {
  const { signal, callId } = context as { readonly signal: unknown; readonly callId: string };
  const toRecord = (inner: unknown): object => ({ type: "tool_call", id: callId, name, args: inner });
  // Arguments that look like LangChain's own record of a call would be taken for one, and are by each of two methods in turn.
  const isRecord = (args as { readonly type?: unknown }).type === "tool_call";
  const input = isRecord ? toRecord(toRecord(args)) : tool.responseFormat === "content_and_artifact" ? toRecord(args) : args;
  let output: unknown;
  try {
    output = await tool.invoke(input, { signal });
  } catch (error) {
    throw toUnfit(error) ?? error;
  }
  return toResult(output);
}

function toUnfit(error: unknown): ToolError | null {
  if (typeof error !== "object" || error === null || !Object.hasOwn(error, "output")) return null;
  const { message } = error as { readonly message?: unknown };
  if (typeof message !== "string" || !message.startsWith(UNFIT)) return null;
  return ToolError.ofArguments(ADAPTER.unfit(message.slice(UNFIT.length).trim()));
}

interface Message {
  readonly content: unknown;
  readonly artifact?: unknown;
  readonly status?: unknown;
}

function toResult(output: unknown): unknown {
  if (isMessage(output)) {
    const { content, artifact, status } = output;
    const result = isBlocks(content) ? fromBlocks(content, artifact) : { text: toText(content), payload: artifact };
    if (status === "error") throw new ToolError(result.text);
    return result;
  }
  return isBlocks(output) ? fromBlocks(output, output) : toJsonResult(output);
}

/** What LangChain takes for a tool's message as it is. */
function isMessage(output: unknown): output is Message {
  return typeof output === "object" && output !== null && "lc_direct_tool_output" in output && "content" in output;
}

function toText(content: unknown): string {
  return typeof content === "string" ? content : (JSON.stringify(content) ?? "");
}
