import { ToolError } from "toolcell/tool";

/** The guest's runtime, which asks the host; the host lets nothing but this capability do it. */
declare const __toolcell: { makeTool(op: "write" | "refresh" | "share", args: object): Promise<unknown> };

/** Codes of what a model can act on. */
const REFUSALS: ReadonlySet<unknown> = new Set(["InvalidArguments", "FileNotFound", "PermissionDenied", "FileExists"]);

/** Asks the engine, and says in a refusal's own words why it did not. */
export async function make(op: "write" | "refresh" | "share", args: object): Promise<unknown> {
  try {
    return await __toolcell.makeTool(op, args);
  } catch (error) {
    const { code, message } = error as { readonly code?: unknown; readonly message: string };
    throw REFUSALS.has(code) ? new ToolError(`${message} (${String(code)})`) : error;
  }
}
