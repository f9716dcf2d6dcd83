import { randomUUID } from "node:crypto";
import { OUTCOME } from "../catalogue/texts.ts";
import type { Registry } from "../registry/registry.ts";
import { cleanLine } from "./clean.ts";
import { failedOutcome, type Outcome } from "./outcome.ts";

const NAME_CHARS = 64;
const NOTHING_USED = { wallMs: 0, queueMs: 0, startMs: 0, cpuMs: 0, heapBytes: 0, powerCalls: 0, bytesIn: 0, bytesOut: 0 };

/** The outcome of a call of a tool that there is none of: it says which there are. */
export function unknownTool(registry: Registry, name: string): Outcome {
  const claimants = registry.claimants(name);
  const tool = cleanLine(name, NAME_CHARS);
  const known = registry.tools().map((found) => found.tool.name);
  return notKnown(tool, claimants === undefined ? OUTCOME.unknownTool(tool, known) : OUTCOME.collision(tool, claimants));
}

/** The same of a module that takes no command line. */
export function noCommand(registry: Registry, name: string): Outcome {
  const module = cleanLine(name, NAME_CHARS);
  const known = registry.capabilities.map(({ record }) => record.name).filter((other) => registry.command(other) !== null);
  return notKnown(module, OUTCOME.noCommand(module, known));
}

function notKnown(tool: string, message: string): Outcome {
  const failure = { code: "UNKNOWN_TOOL", message, started: false } as const;
  return failedOutcome({ tool, capability: null, callId: randomUUID() }, failure, NOTHING_USED);
}
