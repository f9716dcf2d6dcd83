import { isJsonObject, type Json, type JsonObject } from "../../catalogue/json.ts";
import { CREATION, POWER, TOOLS } from "../../catalogue/texts.ts";
import { denied, overLimit, PowerError, type Power, type PowerAnswer, type PowerRequest, type PowerUse } from "../power.ts";

/** Who may call tools from inside, and how that is done. */
export interface ToolCaller {
  /** The one capability that may. */
  readonly capability: string;
  /** The whole outcome of a call as any embedder makes it. */
  call(tool: string, args: JsonObject, signal: AbortSignal): Promise<Json>;
}

/** Who may write and share tools from inside, and how that is done. */
export interface ToolMaker {
  /** The one capability that may: a shipped one, whose name nobody else gets. */
  readonly capability: string;
  /** Rejects with PowerError. */
  make(op: MakerOp, args: JsonObject): Promise<Json>;
}

export type MakerOp = "write" | "refresh" | "share";

/** Calls of tools by a tool. Only the tests of a capability may make them, and only where they are run as such; and only the engine's own capability for it writes tools. */
export function createTools(caller: ToolCaller | null, maker: ToolMaker | null, limits: { readonly powerBytes: number }): Power {
  async function make(op: MakerOp, args: JsonObject, use: PowerUse): Promise<PowerAnswer> {
    if (maker === null || use.capability !== maker.capability) throw denied(CREATION.denied);
    const name = args["tool_name"];
    const effect = use.effect(`${op} ${typeof name === "string" ? name : "tools"}`, op !== "refresh");
    try {
      const value = await maker.make(op, args);
      effect.done();
      return { value };
    } catch (error) {
      effect.refused();
      throw error;
    }
  }

  async function perform({ op, args: request }: PowerRequest, use: PowerUse): Promise<PowerAnswer> {
    if (op === "write" || op === "refresh" || op === "share") return await make(op, request, use);
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
