/** The engine: `import { createEngine } from "toolcell"`. */
export { createEngine, type Engine } from "./engine/engine.ts";
export { CODES, type Code, type Phase } from "./catalogue/codes.ts";
export { LIMITS, type LimitName, type LimitRow, type Limits } from "./engine/limits.ts";
export type { CallOptions } from "./engine/call-options.ts";
export type { OutcomeImage } from "./engine/images.ts";
export type { EngineEvents, EventName, Listener } from "./engine/events.ts";
export type { CapabilityEntry, ToolEntry } from "./engine/listing.ts";
export type { LogEntry } from "./engine/log.ts";
export type { EngineOptions, Policy } from "./engine/options.ts";
export type { Effect, Outcome, OutcomeError, Usage } from "./engine/outcome.ts";
export { FAULT_CODES, GrantError, type FaultCode } from "./catalogue/faults.ts";
export { WALLS, type Wall } from "./cell/walls.ts";
export type { GrantPolicy, GrantRequest, Waiting } from "./registry/grants.ts";
export type { SecretOwner } from "./powers/secrets/secrets.ts";
export type { Skipped } from "./registry/registry.ts";
export type { Json, JsonObject } from "./catalogue/json.ts";
