import { copySchema, type ObjectSchema, type OfferedTool } from "./offered.ts";
import type { TextCall } from "./text-call.ts";

/** As much of LangChain's RunnableConfig as a call here heeds. */
export interface LangChainConfig {
  readonly signal?: AbortSignal | undefined;
  /** The whole time of the call in milliseconds. */
  readonly timeout?: number | undefined;
}

/**
 * A tool as LangChain takes it: by `bindTools`, by `convertToOpenAITool`, in a sequence of runnables, and by whatever runs the
 * tool calls of a model. It needs nothing of LangChain's to be there.
 */
export type LangChainTool = {
  readonly name: string;
  readonly description: string;
  readonly schema: ObjectSchema;
  readonly returnDirect: false;
  readonly lc_namespace: string[];
  readonly lc_runnable: true;
  readonly lc_serializable: false;
  /** Takes the arguments, or a whole tool call (`{ type: "tool_call", args, … }`). Resolves with the text for the model, whatever became of it. */
  readonly invoke: (input: unknown, config?: LangChainConfig) => Promise<string>;
  readonly batch: (inputs: readonly unknown[], config?: LangChainConfig | readonly LangChainConfig[]) => Promise<string[]>;
  readonly stream: (input: unknown, config?: LangChainConfig) => Promise<ReadableStream<string>>;
  readonly getName: () => string;
};

export function toLangChainTool({ name, description, inputSchema }: OfferedTool, call: TextCall): LangChainTool {
  const invoke = (input: unknown, config?: LangChainConfig): Promise<string> =>
    call(name, argumentsOf(input), { signal: config?.signal, timeoutMs: config?.timeout });
  return {
    name,
    description,
    schema: copySchema(inputSchema),
    returnDirect: false,
    lc_namespace: ["toolcell", "tools"],
    lc_runnable: true,
    lc_serializable: false,
    invoke,
    batch: (inputs, config) => Promise.all(inputs.map((input, index) => invoke(input, isList(config) ? config[index] : config))),
    stream: async (input, config) => ReadableStream.from([await invoke(input, config)]),
    getName: () => name,
  };
}

function argumentsOf(input: unknown): unknown {
  const isToolCall = typeof input === "object" && input !== null && "type" in input && input.type === "tool_call" && "args" in input;
  return isToolCall ? input.args : input;
}

function isList(config: LangChainConfig | readonly LangChainConfig[] | undefined): config is readonly LangChainConfig[] {
  return Array.isArray(config);
}
