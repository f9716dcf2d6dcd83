import { FETCH } from "../../../src/catalogue/texts.ts";
import type { Call } from "../call.ts";
import { GuestPromise, GuestTypeError, indexOf, slice, then } from "../intrinsics.ts";
import { PowerError, requestPower, type PowerReply } from "../powers.ts";
import type { BodySource } from "./body-source.ts";
import { readDataUrl } from "./data-url.ts";
import { pairsOf } from "./headers.ts";
import { assertArguments, installOperations } from "./interface.ts";
import { Request, partsOf } from "./request.ts";
import { responseOf, type Response, type ResponseHead } from "./response.ts";
import { whenAborted, type AbortSignal } from "./signal.ts";

type Head = ResponseHead & { readonly done: boolean };

let lastId = 0;

/** Puts fetch (Fetch Standard, 5.6) on the global object. A request belongs to the call whose turn made it. */
export function installFetch(target: object, currentCall: () => Call | undefined): void {
  installOperations(target, {
    // An async function waits for a promise without asking for its `then`, which is a package's to change.
    async fetch(input: unknown, init: unknown = undefined): Promise<Response> {
      assertArguments(arguments.length, 1, "fetch");
      return await send(currentCall(), new Request(input, init));
    },
  });
}

async function send(call: Call | undefined, request: Request): Promise<Response> {
  const { signal, url, method, redirect, headers, body } = partsOf(request);
  signal.throwIfAborted();
  if (slice(url, 0, 5) === "data:") return fetchData(url, method);
  const bytes = body.isNull ? null : await untilAborted(signal, body.consume(), asItIs, ignore);
  lastId += 1;
  const id = lastId;
  const asked = { id, url, method, redirect, headers: pairsOf(headers) };
  const wait = (op: string, args: object, content: string | null, words: string): Promise<PowerReply> =>
    untilAborted(
      signal,
      requestPower(call, "network", op, args, content),
      (error) => failureOf(error, words),
      () => giveUp(call, id),
    );
  const { value, bytes: given } = await wait("fetch", asked, bytes, FETCH.failed);
  const head = value as Head;
  if (head.done) return responseOf(head, isBodiless(method, head.status) ? null : { whole: given ?? "" });
  const source: BodySource = {
    async pull() {
      signal.throwIfAborted();
      const part = await wait("read", { id }, null, FETCH.terminated);
      return (part.value as { done: boolean }).done ? null : (part.bytes ?? "");
    },
    cancel: () => giveUp(call, id),
  };
  return responseOf(head, source);
}

function fetchData(url: string, method: string): Response {
  const data = readDataUrl(withoutFragment(url));
  if (data === null || method !== "GET") throw new GuestTypeError(FETCH.failed);
  const head = { status: 200, statusText: "OK", url, redirected: false, headers: [["content-type", data.type]] as const };
  return responseOf(head, { whole: data.bytes });
}
function withoutFragment(url: string): string {
  const hash = indexOf(url, "#");
  return hash < 0 ? url : slice(url, 0, hash);
}

function giveUp(call: Call | undefined, id: number): void {
  // A call that has ended took its requests with it.
  void then(requestPower(call, "network", "cancel", { id }), ignore, ignore);
}

// What comes first: what was asked for, or the end of the caller's patience.
function untilAborted<T>(signal: AbortSignal, asked: Promise<T>, toFailure: (error: unknown) => unknown, onAbort: () => void): Promise<T> {
  return new GuestPromise((resolve, reject) => {
    const forget = whenAborted(signal, () => {
      onAbort();
      reject(signal.reason);
    });
    void then(
      asked,
      (value) => {
        forget();
        resolve(value as T);
      },
      (error) => {
        forget();
        reject(toFailure(error));
      },
    );
  });
}

function asItIs(error: unknown): unknown {
  return error;
}

// What was refused stays what it is; everything else is a network error, in the platform's words, with ours as its cause.
function failureOf(error: unknown, words: string): unknown {
  return PowerError.told(error) === null ? new GuestTypeError(words, { cause: error }) : error;
}

function isBodiless(method: string, status: number): boolean {
  return method === "HEAD" || status === 204 || status === 205 || status === 304;
}

function ignore(): void {
  // Nobody waits for it.
}
