import type { Agent } from "undici";
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
  readonly #parts: ClientParts;
  readonly #ended = new AbortController();
  readonly #opened = new Set<string>();
  #agent: Promise<Agent> | null = null;
  #inFlight = 0;
  /** Calls that use it. */
  users = 0;

  constructor(parts: ClientParts) {
    this.#parts = parts;
  }

  async agent(): Promise<Agent> {
    return await (this.#agent ??= this.#createAgent());
  }

  /** Lets the connector reach a private address that was found granted. */
  openAddress(address: string, port: number): void {
    this.#opened.add(`${address}:${port}`);
  }

  /** Counts a response as open until the returned function is called. Throws PowerError. */
  enter(): () => void {
    const { fetchInFlightCount } = this.#parts.limits;
    if (this.#inFlight >= fetchInFlightCount) throw overLimit(NETWORK.inFlight(fetchInFlightCount));
    this.#inFlight += 1;
    let hasLeft = false;
    return () => {
      if (!hasLeft) this.#inFlight -= 1;
      hasLeft = true;
    };
  }

  async end(): Promise<void> {
    this.#ended.abort();
    await (await this.#agent)?.destroy();
  }

  // Most engines never make a request, and to load the library takes as long as to load all the rest of an engine.
  async #createAgent(): Promise<Agent> {
    const { Agent } = await import("undici");
    const { resolve, connect, limits } = this.#parts;
    return new Agent({
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
}
