import { FETCH } from "../../src/catalogue/texts.ts";
import { type BodySource, consumeBody, hasBody } from "./body.ts";
import type { Call } from "./call.ts";
import { DOMException } from "./dom-exception.ts";
import { TextDecoder, TextEncoder } from "./encoding.ts";
import { Event, EventTarget, reportListenerErrors } from "./event-target.ts";
import { describe } from "./failure.ts";
import { Headers, pairsOf } from "./headers.ts";
import { GuestPromise, GuestTypeError, define, then } from "./intrinsics.ts";
import { PowerError, requestPower, type PowerReply } from "./powers.ts";
import { Request, type RequestInit } from "./request.ts";
import { Response, responseOf, type ResponseHead } from "./response.ts";
import { AbortController, AbortSignal, setSignalTimer } from "./signal.ts";
import { ReadableStream, ReadableStreamDefaultReader } from "./stream.ts";

type Head = ResponseHead & { readonly done: boolean };

let lastId = 0;

/** Puts fetch (Fetch Standard, 5.6) and what comes with it on the global object. A request belongs to the call whose turn made it. */
export function installFetch(currentCall: () => Call | undefined): void {
  const { setTimeout } = globalThis as unknown as { setTimeout: (callback: () => void, milliseconds: number) => unknown };
  setSignalTimer((callback, milliseconds) => setTimeout(callback, milliseconds));
  reportListenerErrors((error) => currentCall()?.log("warn", [describe(error, 0)]));
  define(globalThis, "fetch", function fetch(input: unknown, init?: RequestInit) {
    return send(currentCall(), input, init);
  });
  const classes = {
    AbortController,
    AbortSignal,
    DOMException,
    Event,
    EventTarget,
    Headers,
    ReadableStream,
    ReadableStreamDefaultReader,
    Request,
    Response,
    TextDecoder,
    TextEncoder,
  };
  for (const [name, value] of Object.entries(classes)) define(globalThis, name, value);
}

async function send(call: Call | undefined, input: unknown, init: RequestInit | undefined): Promise<Response> {
  const request = new Request(input, init);
  const { signal, url, method, redirect } = request;
  signal.throwIfAborted();
  const bytes = hasBody(request) ? await consumeBody(request) : null;
  lastId += 1;
  const id = lastId;
  const asked = { id, url, method, redirect, headers: pairsOf(request.headers) };
  const wait = (op: string, args: object, body: string | null, words: string): Promise<PowerReply> =>
    untilAborted(signal, requestPower(call, "network", op, args, body), words, () => giveUp(call, id));
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

function giveUp(call: Call | undefined, id: number): void {
  // A call that has ended took its requests with it.
  void then(requestPower(call, "network", "cancel", { id }), ignore, ignore);
}

// What comes first: the answer, or the end of the caller's patience.
function untilAborted(signal: AbortSignal, reply: Promise<PowerReply>, words: string, onAbort: () => void): Promise<PowerReply> {
  return new GuestPromise((resolve, reject) => {
    const abort = (): void => {
      onAbort();
      reject(signal.reason);
    };
    signal.addEventListener("abort", abort, { once: true });
    const settle = (act: () => void): void => {
      signal.removeEventListener("abort", abort);
      act();
    };
    void then(
      reply,
      (value) => settle(() => resolve(value as PowerReply)),
      (error) => settle(() => reject(failureOf(error, words))),
    );
  });
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
