/**
 * What a capability's author imports: `import { ToolError, type ToolContext, type ToolResult } from "toolcell/tool"`.
 * In a cell this module is the guest runtime's own; in Node it serves an author's unit tests.
 */
export { getCredential } from "./credentials.ts";
export { ToolConfigError } from "./tool-config-error.ts";
export { ToolError, type ToolErrorOptions } from "./tool-error.ts";
export type {
  CredentialOptions,
  ToolContext,
  ToolFileEntry,
  ToolFileList,
  ToolFileRange,
  ToolFiles,
  ToolFileStats,
  ToolHost,
  ToolImage,
  ToolLog,
  ToolPaths,
  ToolProcess,
  ToolProcessEnd,
  ToolProcessOptions,
  ToolResult,
  ToolSecret,
  ToolSecrets,
  ToolSignal,
  ToolStorage,
} from "./types.ts";
