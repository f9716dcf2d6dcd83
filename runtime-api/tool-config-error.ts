import { ToolError } from "./tool-error.ts";

/** A credential that a tool needs and that none of its places has: the message names each of them, and how to set it. */
export class ToolConfigError extends ToolError {
  override readonly name: string = "ToolConfigError";
}
