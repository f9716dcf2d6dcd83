import { bareArray } from "./intrinsics.ts";

/** Hands one message to the keeper at once, in the middle of a turn. */
export type Emit = (type: number, call: number, body: string) => void;

let send: Emit | null = null;

/** Lets every message leave as it is posted, where nobody collects them after a turn. */
export function postAtOnce(by: Emit): void {
  send = by;
}

// Type, call and body of each message, one after the other. The keeper copies the whole array out when the turn has
// ended, microtasks included: one crossing a turn, however many messages.
let outbox: unknown[] = bareArray();

export function post(type: number, call: number, body: string): void {
  if (send !== null) return send(type, call, body);
  const end = outbox.length;
  outbox[end] = type;
  outbox[end + 1] = call;
  outbox[end + 2] = body;
}

/** A new outbox for the turn that begins. */
export function openOutbox(): unknown[] {
  outbox = bareArray();
  return outbox;
}

/** The outbox of the last turn, for a keeper that lost its answer to a stray rejection. */
export function lastOutbox(): unknown[] {
  return outbox;
}
