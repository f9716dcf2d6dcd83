import { NETWORK, POWER } from "../../catalogue/texts.ts";
import { overLimit, PowerError, type PowerUse } from "../power.ts";
import { CapabilityClient, type ClientParts } from "./client.ts";
import { Exchange } from "./exchange.ts";
import { Rate } from "./rate.ts";
import type { SecretInjector } from "./secret-injector.ts";

/** One call's requests that are open, by the guest's numbers for them. */
interface NetworkCall {
  readonly exchanges: Map<number, Exchange>;
  readonly client: CapabilityClient;
  count: number;
}

/** Whose requests are whose: a call finds its own alone, and its end ends them. */
export class NetworkCalls {
  readonly #parts: ClientParts & { readonly secrets: SecretInjector };
  readonly #rate: Rate;
  readonly #calls = new Map<string, NetworkCall>();
  readonly #clients = new Map<string, CapabilityClient>();
  /** Clients that are closing. */
  readonly #ending = new Set<Promise<void>>();

  constructor(parts: ClientParts & { readonly secrets: SecretInjector }) {
    this.#parts = parts;
    this.#rate = new Rate(parts.limits.fetchRatePerMinuteCount);
  }

  /** Begins an exchange for a call. Throws PowerError. */
  open(id: number, use: PowerUse): Exchange {
    const { limits, secrets } = this.#parts;
    const call = this.#callOf(use);
    if (call.exchanges.has(id)) throw new PowerError("ERR_INVALID_ARG_VALUE", POWER.malformed("`id`"));
    call.count += 1;
    if (call.count > limits.fetchCount) throw overLimit(NETWORK.count(limits.fetchCount));
    const leave = call.client.enter();
    const onEnd = (): void => {
      leave();
      call.exchanges.delete(id);
    };
    const exchange = new Exchange({ limits, secrets, rate: this.#rate, client: call.client, onEnd });
    call.exchanges.set(id, exchange);
    return exchange;
  }

  find(id: number, { callId }: PowerUse): Exchange | undefined {
    return this.#calls.get(callId)?.exchanges.get(id);
  }

  /** Ends every exchange; resolves when every socket is closed. */
  async close(): Promise<void> {
    for (const call of this.#calls.values()) endAll(call);
    this.#calls.clear();
    for (const capability of this.#clients.keys()) this.#endClient(capability);
    await Promise.all(this.#ending);
  }

  #callOf({ callId, capability, signal }: PowerUse): NetworkCall {
    if (signal.aborted) throw new PowerError("ABORT_ERR", NETWORK.aborted);
    const known = this.#calls.get(callId);
    if (known !== undefined) return known;
    const client = this.#clients.get(capability) ?? new CapabilityClient(this.#parts);
    this.#clients.set(capability, client);
    client.users += 1;
    const call = { exchanges: new Map<number, Exchange>(), client, count: 0 };
    this.#calls.set(callId, call);
    signal.addEventListener("abort", () => this.#endCall(callId, capability), { once: true });
    return call;
  }

  #endCall(callId: string, capability: string): void {
    const call = this.#calls.get(callId);
    if (call === undefined) return;
    this.#calls.delete(callId);
    endAll(call);
    call.client.users -= 1;
    if (call.client.users === 0) this.#endClient(capability);
  }

  #endClient(capability: string): void {
    const ending = this.#clients.get(capability)?.end();
    this.#clients.delete(capability);
    if (ending === undefined) return;
    this.#ending.add(ending);
    void ending.finally(() => this.#ending.delete(ending));
  }
}

function endAll({ exchanges }: NetworkCall): void {
  for (const exchange of exchanges.values()) exchange.end();
}
