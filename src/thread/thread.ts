import { AsyncLocalStorage } from "node:async_hooks";
import { createCredentials } from "../../runtime-api/guest/credentials.ts";
import { createRuntime } from "../../runtime-api/guest/runtime.ts";
import type { Call } from "../../runtime-api/guest/call.ts";
import { describe, failureBody, stackOf } from "../../runtime-api/guest/failure.ts";
import { postAtOnce } from "../../runtime-api/guest/outbox.ts";
import { translatePaths } from "../../runtime-api/guest/paths.ts";
import { ANNOUNCE, FROM_CELL, TO_CELL, TYPE_MASK, type GuestConfig } from "../bridge/messages.ts";
import { TURN, type ThreadJob, type ToThread } from "../bridge/thread.ts";
import { GUEST } from "../catalogue/texts.ts";
import { evaluateBundle } from "./bundle.ts";
import { captureOutput } from "./output.ts";
import { createTranslation } from "./paths.ts";
import { createSender } from "./sender.ts";

/**
 * A trusted capability's runtime in a thread of the host's process. Its realm is Node's own and nothing in it is sealed: what
 * is here serves the same messages, contexts and outcomes as in an isolate, and contains no one.
 */
export function startThread({ port, turns, bodyBytes }: ThreadJob): void {
  const calls = new AsyncLocalStorage<Call>();
  const sender = createSender(port, bodyBytes);
  let config: GuestConfig | null = null;

  postAtOnce(sender.send);
  captureOutput(() => calls.getStore());
  const runtime = createRuntime({
    emit: sender.send,
    createSignal() {
      const controller = new AbortController();
      return { signal: controller.signal, abort: () => controller.abort(new DOMException(GUEST.aborted, "AbortError")) };
    },
    configure(given) {
      config = given;
      translatePaths(createTranslation(given.paths));
    },
    within: (call, act) => calls.run(call, act),
  });
  port.on("message", (message: ToThread) => receive(message));

  function receive({ type: told, call, body }: ToThread): void {
    const type = told & TYPE_MASK;
    Atomics.store(turns, TURN.current, call);
    Atomics.add(turns, TURN.count, 1);
    if (isBeginning(type)) {
      Atomics.store(turns, TURN.begun, call);
      sender.begin(call);
      if ((told & ANNOUNCE) !== 0) sender.send(FROM_CELL.STARTED, call, "");
    }
    if (type === TO_CELL.BUNDLE) loadBundle(body);
    else runtime.receive(type, call, body);
  }

  function loadBundle(text: string): void {
    if (config === null) throw new Error("LOAD comes before BUNDLE");
    try {
      runtime.load(
        evaluateBundle(
          text,
          config.paths.capability,
          createCredentials(() => calls.getStore()),
        ),
      );
    } catch (error) {
      sender.send(FROM_CELL.FAILURE, 0, failureBody("load", describe(error, 2), config.guest, false, stackOf(error)));
    }
  }
}

function isBeginning(type: number): boolean {
  return type === TO_CELL.BUNDLE || type === TO_CELL.PREPARE || type === TO_CELL.CALL || type === TO_CELL.UNLOAD;
}
