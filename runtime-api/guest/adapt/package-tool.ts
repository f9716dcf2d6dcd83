import { ADAPTER } from "../../../src/catalogue/texts.ts";
import { fromAiSdk } from "./package-ai-sdk.ts";
import { fromLangChain } from "./package-langchain.ts";

/** A tool of one of the forms that a package may have it in. What it says of itself is not held to anything yet. */
export interface PackageTool {
  /** Null where its form has none. */
  readonly name: string | null;
  readonly description: unknown;
  /** JSON Schema, or a schema of the library that it was made with; undefined for no arguments. */
  readonly schema: unknown;
  readonly profile: unknown;
  readonly run: (context: unknown, args: unknown) => unknown;
  readonly unload: (() => unknown) | undefined;
}

type Loose = Record<string, unknown>;

/** The tool that a value is, or why it is none. Throws as the value's own getters do. */
export function toTool(value: unknown, shown: string): PackageTool | string {
  if (typeof value === "function") return ADAPTER.isFunction(shown);
  if (typeof value !== "object" || value === null)
    return ADAPTER.notTool(shown, value === null ? "null" : `a value of type ${typeof value}`);
  const tool = value as Loose;
  if (typeof tool["run"] === "function" && "NAME" in tool) return fromOwn(tool, shown);
  if (typeof tool["invoke"] === "function" && "schema" in tool) return fromLangChain(tool, shown);
  if ("inputSchema" in tool || "parameters" in tool) return fromAiSdk(tool, shown);
  if (typeof tool["then"] === "function") return ADAPTER.isPromise(shown);
  return ADAPTER.notTool(shown, "an object of another form");
}

/** The form that a capability's own tool files have. */
function fromOwn(tool: Loose, shown: string): PackageTool | string {
  const { NAME: name, DESCRIPTION: description, INPUT_SCHEMA: schema, EXECUTION_PROFILE: profile = null } = tool;
  if (typeof name !== "string") return ADAPTER.noOwnName(shown, "NAME");
  return {
    name,
    description,
    schema,
    profile,
    run: (context, args) => (tool["run"] as (...given: unknown[]) => unknown)(context, args),
    unload: typeof tool["unload"] === "function" ? () => (tool["unload"] as () => unknown)() : undefined,
  };
}
