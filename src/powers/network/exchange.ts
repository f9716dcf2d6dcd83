import type { Dispatcher } from "undici";
import { NETWORK } from "../../catalogue/texts.ts";
import { denied, overLimit, PowerError, type PowerUse } from "../power.ts";
import { armHop, type ArmedHop } from "./armed-hop.ts";
import type { CapabilityClient } from "./client.ts";
import { ConnectError } from "./connector.ts";
import { assertGranted } from "./destination.ts";
import { toFailure } from "./failure.ts";
import type { NetworkLimits } from "./limits.ts";
import type { Rate } from "./rate.ts";
import { isRedirect, nextHop, tooManyRedirects, type Hop } from "./redirect.ts";
import { isSafe, type FetchRequest, type Header } from "./request.ts";
import { ResponseBody } from "./response-body.ts";
import { headerOf, readResponseHeaders } from "./response-head.ts";
import type { SecretInjector } from "./secret-injector.ts";

export interface ExchangeParts {
  readonly limits: NetworkLimits;
  readonly secrets: SecretInjector;
  readonly rate: Rate;
  readonly client: CapabilityClient;
  /** Called once, when nothing of it is open any more. */
  readonly onEnd: () => void;
}

/** The head of an answer, after every redirect. */
export interface Answer {
  readonly status: number;
  readonly statusText: string;
  readonly headers: readonly Header[];
  readonly url: string;
  readonly isRedirected: boolean;
}

/** One request of a guest and its answer, from the first hop to the last byte of the body, under one clock. */
export class Exchange {
  readonly #parts: ExchangeParts;
  readonly #abort = new AbortController();
  readonly #timer: NodeJS.Timeout;
  #body: ResponseBody | null = null;
  #host = "";
  #isReading = false;
  #hasEnded = false;

  constructor(parts: ExchangeParts) {
    this.#parts = parts;
    this.#timer = setTimeout(() => this.end(overLimit(NETWORK.ms(parts.limits.fetchMs))), parts.limits.fetchMs);
  }

  /** Sends it and follows where it is sent. Rejects with PowerError, and has ended then. */
  async begin({ destination, method, headers, body, redirect }: FetchRequest, use: PowerUse): Promise<Answer> {
    let hop: Hop = { destination, method, headers, body, isFirst: true, isSameOrigin: true };
    try {
      for (let redirects = 0; ; redirects += 1) {
        this.#host = hop.destination.host;
        const { response, sent } = await this.#send(hop, use);
        const answered = readResponseHeaders(response.headers as unknown as string[], this.#parts.limits);
        const location = headerOf(answered, "location");
        if (redirect === "manual" || !isRedirect(response.statusCode, location)) {
          this.#body = this.#bodyOf(response, answered, use.capability);
          return {
            status: response.statusCode,
            statusText: response.statusText,
            headers: answered,
            url: hop.destination.url.href,
            isRedirected: redirects > 0,
          };
        }
        discard(response);
        if (redirect === "error") throw new PowerError("ERR_REDIRECT", NETWORK.redirected(this.#host));
        if (redirects >= this.#parts.limits.fetchRedirectCount) throw tooManyRedirects(this.#parts.limits);
        hop = nextHop(hop, response.statusCode, location, sent, this.#parts.limits);
      }
    } catch (error) {
      throw this.#fail(error);
    }
  }

  /** The next bytes of the body, or null at its end. Rejects with PowerError, and has ended then. */
  async read(): Promise<Buffer | null> {
    if (this.#body === null || this.#isReading) throw denied(NETWORK.notReadable);
    this.#isReading = true;
    try {
      const chunk = await this.#body.next();
      if (chunk === null) this.#leave();
      return chunk;
    } catch (error) {
      throw this.#fail(error);
    } finally {
      this.#isReading = false;
    }
  }

  /** The whole body where it is small and came with the head. */
  async readWhole(): Promise<Buffer | null> {
    const bytes = await (this.#body?.whole() ?? null);
    if (bytes !== null) this.#leave();
    return bytes;
  }

  /** Closes whatever is open. */
  end(reason: PowerError = new PowerError("ABORT_ERR", NETWORK.aborted)): void {
    if (this.#hasEnded) return;
    this.#leave();
    this.#abort.abort(reason);
    this.#body?.destroy();
  }

  // A body that was read to its end leaves its connection to the next request.
  #leave(): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    clearTimeout(this.#timer);
    this.#parts.onEnd();
  }

  async #send(hop: Hop, use: PowerUse): Promise<{ readonly response: Dispatcher.ResponseData } & Pick<ArmedHop, "sent">> {
    const { limits, secrets, rate, client } = this.#parts;
    const { url, host, port, address } = hop.destination;
    // The path of a server's own redirect may show what it was sent.
    const target = secrets.maskText(use.capability, `${hop.method} ${url.origin}${url.pathname}`);
    const effect = use.effect(target, !isSafe(hop.method));
    try {
      const agent = await client.agent();
      this.#abort.signal.throwIfAborted();
      assertGranted(hop.destination, use);
      rate.take(use.capability);
      if (address !== null) client.openAddress(host, port);
      const { path, headers, body, sent } = armHop(hop, secrets, use);
      const response = await agent.request({
        origin: url.origin,
        path,
        method: hop.method,
        headers: [...headers],
        body,
        signal: this.#abort.signal,
        responseHeaders: "raw",
      });
      effect.done();
      return { response, sent };
    } catch (error) {
      // Only where it is certain that nothing was sent.
      if (error instanceof ConnectError || (error instanceof PowerError && error !== this.#abort.signal.reason)) effect.refused();
      throw toFailure(error, host, false, limits);
    }
  }

  #bodyOf(response: Dispatcher.ResponseData, headers: readonly Header[], capability: string): ResponseBody {
    const { limits, secrets } = this.#parts;
    return new ResponseBody(response.body, headerOf(headers, "content-encoding"), secrets.createMask(capability), limits.fetchBytes);
  }

  #fail(error: unknown): PowerError {
    const { signal } = this.#abort;
    const failure = signal.aborted ? (signal.reason as PowerError) : toFailure(error, this.#host, this.#body !== null, this.#parts.limits);
    this.end(failure);
    return failure;
  }
}

function discard({ body }: Dispatcher.ResponseData): void {
  body.on("error", () => undefined);
  body.destroy();
}
