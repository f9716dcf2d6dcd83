import { NETWORK, POWER } from "../../catalogue/texts.ts";
import { PowerError, type Power, type PowerAnswer, type PowerRequest, type PowerUse } from "../power.ts";
import { openSocket, type Connect } from "./connector.ts";
import type { NetworkLimits } from "./limits.ts";
import { NetworkCalls } from "./network-calls.ts";
import { readId, readRequest } from "./request.ts";
import { resolveHost, type Resolve } from "./resolver.ts";
import { isTold } from "./response-head.ts";
import { NO_SECRETS, type SecretInjector } from "./secret-injector.ts";

export interface NetworkOptions {
  readonly limits: NetworkLimits;
  readonly secrets?: SecretInjector;
  readonly resolve?: Resolve;
  readonly connect?: Connect;
}

/**
 * HTTP for guests, on undici. Three operations: `fetch` sends a request and answers with the head (and the body, where it
 * is small and came along), `read` gives the next bytes of a body, `cancel` gives a request up.
 */
export function createNetwork({ limits, secrets = NO_SECRETS, resolve = resolveHost, connect = openSocket }: NetworkOptions): Power {
  const calls = new NetworkCalls({ limits, secrets, resolve, connect });

  async function fetch({ args, bytes }: PowerRequest, use: PowerUse): Promise<PowerAnswer> {
    const request = readRequest(args, bytes, limits);
    const exchange = calls.open(request.id, use);
    const { status, statusText, headers, url, isRedirected } = await exchange.begin(request, use);
    const whole = await exchange.readWhole();
    const mask = (text: string): string => secrets.maskText(use.capability, text);
    const value = {
      id: request.id,
      status,
      statusText: mask(statusText),
      url: mask(url),
      redirected: isRedirected,
      headers: headers.filter(isTold).map(({ name, value: text }) => [name, mask(text)]),
      done: whole !== null,
    };
    return whole === null || whole.length === 0 ? { value } : { value, bytes: whole };
  }

  async function read({ args }: PowerRequest, use: PowerUse): Promise<PowerAnswer> {
    const exchange = calls.find(readId(args), use);
    if (exchange === undefined) throw new PowerError("ERR_INVALID_STATE", NETWORK.notReadable);
    const bytes = await exchange.read();
    return bytes === null ? { value: { done: true } } : { value: { done: false }, bytes };
  }

  function cancel({ args }: PowerRequest, use: PowerUse): PowerAnswer {
    calls.find(readId(args), use)?.end();
    return { value: null };
  }

  return {
    async perform(request, use) {
      switch (request.op) {
        case "fetch":
          return await fetch(request, use);
        case "read":
          return await read(request, use);
        case "cancel":
          return cancel(request, use);
        default:
          throw new PowerError("POWER_FAILED", POWER.unknownOp(request.op.slice(0, 40)));
      }
    },
    [Symbol.asyncDispose]: () => calls.close(),
  };
}
