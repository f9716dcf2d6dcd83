import type { Call } from "./call.ts";
import { requestPower } from "./powers.ts";

/** What `call` of `toolcell/test` asks of the host, which lets only tests do it. */
export function createToolCaller(currentCall: () => Call | undefined): (tool: string, args: object) => Promise<unknown> {
  return async (tool, args) => (await requestPower(currentCall(), "tools", "call", { tool, args })).value;
}
