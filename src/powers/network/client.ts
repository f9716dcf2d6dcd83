import { Agent } from "undici";
import { NETWORK } from "../../catalogue/texts.ts";
import { overLimit } from "../power.ts";
import { createConnector, type Connect } from "./connector.ts";
import type { NetworkLimits } from "./limits.ts";
import type { Resolve } from "./resolver.ts";

export interface ClientParts {
  readonly resolve: Resolve;
  readonly connect: Connect;
  readonly limits: NetworkLimits;
}

const KEEP_ALIVE_MS = 4000;

/**
 * The connections of one capability, shared with no other. It lives as long as a call of the capability that uses the
 * network: no socket outlives the last of them.
 */
export class CapabilityClient {
  readonly agent: Agent;
  readonly #ended = new AbortController();
  readonly #opened = new Set<string>();
  readonly #limits: NetworkLimits;
  #inFlight = 0;
  /** Calls that use it. */
  users = 0;

  constructor({ resolve, connect, limits }: ClientParts) {
    this.#limits = limits;
    this.agent = new Agent({
      connect: createConnector({
        resolve,
        connect,
        opens: (address, port) => this.#opened.has(`${address}:${port}`),
        timeoutMs: limits.fetchMs,
        signal: this.#ended.signal,
      }),
      allowH2: false,
      pipelining: 1,
      keepAliveTimeout: KEEP_ALIVE_MS,
      keepAliveMaxTimeout: KEEP_ALIVE_MS,
      // It refuses what reaches its own bound.
      maxHeaderSize: limits.fetchHeaderBytes + 1,
      maxResponseSize: limits.fetchBytes,
      // Each request has one clock of its own.
      headersTimeout: 0,
      bodyTimeout: 0,
    });
  }

  /** Lets the connector reach a private address that was found granted. */
  openAddress(address: string, port: number): void {
    this.#opened.add(`${address}:${port}`);
  }

  /** Counts a response as open until the returned function is called. Throws PowerError. */
  enter(): () => void {
    if (this.#inFlight >= this.#limits.fetchInFlightCount) throw overLimit(NETWORK.inFlight(this.#limits.fetchInFlightCount));
    this.#inFlight += 1;
    let hasLeft = false;
    return () => {
      if (!hasLeft) this.#inFlight -= 1;
      hasLeft = true;
    };
  }

  async end(): Promise<void> {
    this.#ended.abort();
    await this.agent.destroy();
  }
}
