import type { Call } from "./call.ts";
import { requestPower } from "./powers.ts";

/** What the shipped tools that write and share tools ask of the host, which lets nothing but these do it. */
export function createToolMaker(
  currentCall: () => Call | undefined,
): (op: "write" | "refresh" | "share", args: object) => Promise<unknown> {
  return async (op, args) => (await requestPower(currentCall(), "tools", op, args)).value;
}

/** What `call` of `toolcell/test` asks of the host, which lets only tests do it. */
export function createToolCaller(currentCall: () => Call | undefined): (tool: string, args: object) => Promise<unknown> {
  return async (tool, args) => (await requestPower(currentCall(), "tools", "call", { tool, args })).value;
}
