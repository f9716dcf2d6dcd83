/** The engine: `import { createEngine } from "toolcell"`. */
export { createEngine, type Engine } from "./engine/engine.ts";
export { parseAction, type ParsedAction } from "./adapters/parse-action.ts";
export type { AnthropicTool, McpTool, OpenAITool, ToolDefinitions, ToolKind } from "./adapters/definitions.ts";
export type { AiSdkCallOptions, AiSdkSchema, AiSdkTool, AiSdkTools } from "./adapters/ai-sdk.ts";
export type { LangChainConfig, LangChainTool } from "./adapters/langchain.ts";
export type { ObjectSchema } from "./adapters/offered.ts";
export type { DefinitionOptions } from "./adapters/text-call.ts";
export { CODES, type Code, type Phase } from "./catalogue/codes.ts";
export { LIMITS, type LimitName, type LimitRow, type Limits } from "./engine/limits.ts";
export type { CallOptions } from "./engine/call-options.ts";
export type { OutcomeImage } from "./engine/images.ts";
export type { EngineEvents, EventName, Listener } from "./engine/events.ts";
export type { JobEntry, JobsFilter, JobWaitOptions, Submission, SubmitOptions, WorkOptions } from "./engine/job-entry.ts";
export type { CapabilityEntry, ToolEntry } from "./engine/listing.ts";
export type { LogEntry } from "./engine/log.ts";
export type { EngineOptions, Policy } from "./engine/options.ts";
export type { Effect, Outcome, OutcomeError, Usage } from "./engine/outcome.ts";
export {
  CREATION_CODES,
  FAULT_CODES,
  GrantError,
  JobError,
  RegistryCollisionError,
  RegistryError,
  ToolCreationError,
  type CreationCode,
  type FaultCode,
} from "./catalogue/faults.ts";
export type { MadeTool, RefreshedTools, WriteOptions } from "./creation/tool-creation.ts";
export { WALLS, type Wall } from "./cell/walls.ts";
export type { GrantPolicy, GrantRequest, Waiting } from "./registry/grants.ts";
export type { SecretOwner } from "./powers/secrets/secrets.ts";
export type { Skipped } from "./registry/registry.ts";
export type { JobProgress, JobState } from "./jobs/record.ts";
export type { Json, JsonObject } from "./catalogue/json.ts";
