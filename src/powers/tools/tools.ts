import { isJsonObject, type Json, type JsonObject } from "../../catalogue/json.ts";
import { POWER, TOOLS } from "../../catalogue/texts.ts";
import { denied, overLimit, PowerError, type Power, type PowerAnswer, type PowerRequest, type PowerUse } from "../power.ts";

/** Who may call tools from inside, and how that is done. */
export interface ToolCaller {
  /** The one capability that may. */
  readonly capability: string;
  /** The whole outcome of a call as any embedder makes it. */
  call(tool: string, args: JsonObject, signal: AbortSignal): Promise<Json>;
}

/** Calls of tools by a tool. Only the tests of a capability may make them, and only where they are run as such. */
export function createTools(caller: ToolCaller | null, limits: { readonly powerBytes: number }): Power {
  async function perform({ op, args: request }: PowerRequest, use: PowerUse): Promise<PowerAnswer> {
    if (caller === null || use.capability !== caller.capability) throw denied(TOOLS.denied);
    if (op !== "call") throw new PowerError("POWER_FAILED", POWER.unknownOp(op.slice(0, 40)));
    const { tool, args } = request;
    if (typeof tool !== "string") throw new PowerError("EINVAL", POWER.malformed("tool"));
    if (!isJsonObject(args)) throw new PowerError("EINVAL", POWER.malformed("args"));
    const effect = use.effect(tool, true);
    const outcome = await caller.call(tool, args, use.signal);
    effect.done();
    if (Buffer.byteLength(JSON.stringify(outcome)) > limits.powerBytes) throw overLimit(TOOLS.outcomeBytes(limits.powerBytes));
    return { value: outcome };
  }

  return { perform, [Symbol.asyncDispose]: () => Promise.resolve() };
}
