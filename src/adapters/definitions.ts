import { USE } from "../catalogue/texts.ts";
import { toAiSdkTools, type AiSdkTools } from "./ai-sdk.ts";
import { toLangChainTool, type LangChainTool } from "./langchain.ts";
import { copySchema, type ObjectSchema, type OfferedTool } from "./offered.ts";
import type { TextCall } from "./text-call.ts";

/** For `tools` of OpenAI's Chat Completions, and of every service that speaks it. */
export interface OpenAITool {
  type: "function";
  function: { name: string; description: string; parameters: ObjectSchema };
}

/** For `tools` of Anthropic's Messages. */
export interface AnthropicTool {
  name: string;
  description: string;
  input_schema: ObjectSchema;
}

/** For an answer to `tools/list` of the Model Context Protocol. */
export interface McpTool {
  name: string;
  description: string;
  inputSchema: ObjectSchema;
}

/** What `engine.toolDefinitions` gives for each kind. All of it is the caller's own, to change as it likes. */
export interface ToolDefinitions {
  openai: OpenAITool[];
  anthropic: AnthropicTool[];
  mcp: McpTool[];
  langchain: LangChainTool[];
  "ai-sdk": AiSdkTools;
}

export type ToolKind = keyof ToolDefinitions;

const TOOL_KINDS: readonly ToolKind[] = ["openai", "anthropic", "mcp", "langchain", "ai-sdk"];

/** Tools in the form that a protocol or a library takes. Throws TypeError for a kind that is none. */
export function defineTools(kind: ToolKind, tools: readonly OfferedTool[], call: TextCall): ToolDefinitions[ToolKind] {
  switch (kind) {
    case "openai":
      return tools.map(toOpenAITool);
    case "anthropic":
      return tools.map(({ name, description, inputSchema }) => ({ name, description, input_schema: copySchema(inputSchema) }));
    case "mcp":
      return tools.map(({ name, description, inputSchema }) => ({ name, description, inputSchema: copySchema(inputSchema) }));
    case "langchain":
      return tools.map((tool) => toLangChainTool(tool, call));
    case "ai-sdk":
      return toAiSdkTools(tools, call);
    default:
      throw new TypeError(USE.unknownKind(String(kind), TOOL_KINDS));
  }
}

function toOpenAITool({ name, description, inputSchema }: OfferedTool): OpenAITool {
  return { type: "function", function: { name, description, parameters: copySchema(inputSchema) } };
}
