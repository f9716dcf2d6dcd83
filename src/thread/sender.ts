import { getHeapStatistics } from "node:v8";
import type { MessagePort } from "node:worker_threads";
import type { Emit } from "../../runtime-api/guest/outbox.ts";
import { isEnd, FROM_CELL, type Meter } from "../bridge/messages.ts";
import type { FromThread } from "../bridge/thread.ts";
import { GUEST } from "../catalogue/texts.ts";

/** The way of a thread's messages to the host, in order and at once. */
export interface Sender {
  /** A call begins whose CPU time is counted to its end. */
  readonly begin: (call: number) => void;
  readonly send: Emit;
}

// How often the heap is looked at: a look costs as much as a tenth of a call.
const HEAP_LOOK_MS = 100;
const NO_METER: Meter = { cpuMicros: 0, heapBytes: 0 };
const OVERSIZED = JSON.stringify({ kind: "result", message: GUEST.tooLarge, retryable: false, stack: null });

export function createSender(port: MessagePort, bodyBytes: number): Sender {
  const cpuAtBegin = new Map<number, number>();
  let heapBytes = 0;
  let heapLookedAt = -Infinity;

  function begin(call: number): void {
    cpuAtBegin.set(call, cpuMicros());
  }

  function send(type: number, call: number, body: string): void {
    if (!isEnd(type)) return post({ type, call, body, meter: NO_METER });
    const meter = meterOf(call);
    cpuAtBegin.delete(call);
    // A result that only its escapes make too large is refused in words: at the host it would end the cell.
    if (Buffer.byteLength(body) <= bodyBytes) post({ type, call, body, meter });
    else post({ type: FROM_CELL.FAILURE, call, body: OVERSIZED, meter });
  }

  function post(message: FromThread): void {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a port between threads has no origin
    port.postMessage(message);
  }

  // What the thread computed while the call ran: calls that run beside each other each have the whole of it.
  function meterOf(call: number): Meter {
    const time = performance.now();
    if (time - heapLookedAt > HEAP_LOOK_MS) {
      heapLookedAt = time;
      heapBytes = getHeapStatistics().used_heap_size;
    }
    const begun = cpuAtBegin.get(call);
    return { cpuMicros: begun === undefined ? 0 : cpuMicros() - begun, heapBytes };
  }

  return { begin, send };
}

function cpuMicros(): number {
  const { user, system } = process.threadCpuUsage();
  return user + system;
}
