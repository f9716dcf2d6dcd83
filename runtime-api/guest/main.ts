import { TO_CELL } from "../../src/bridge/messages.ts";
import { ToolError } from "../tool-error.ts";
import { installConsole, type Call } from "./call.ts";
import { installFetch } from "./fetch.ts";
import { createNodeFiles } from "./files-node.ts";
import { missing } from "./files-shapes.ts";
import { define, freeze } from "./intrinsics.ts";
import { lastOutbox, openOutbox, type Emit } from "./outbox.ts";
import { grantWebAssembly, sealRealm } from "./realm.ts";
import { createRuntime, type Bundled } from "./runtime.ts";
import { createSignal } from "./signal.ts";
import { installTimers, runTimer, timerCall } from "./timers.ts";

/** One turn: a message in, whatever it sets off, messages out in the outbox that it returns. */
export type Deliver = (type: number, call: number, body: string) => unknown[];

/** Builds an isolate's realm up and returns the one function through which everything enters. Runs once, before any package's code. */
export function boot(emit: Emit): Deliver {
  // Turns come one after the other: whose turn it is, is all that there is to know.
  let current: Call | undefined;

  sealRealm();
  installConsole(() => current);
  installTimers(() => current);
  installFetch(() => current);
  const runtime = createRuntime({
    emit,
    createSignal,
    configure(config) {
      if (config.wasm) grantWebAssembly();
    },
    within(call, act) {
      current = call;
      act();
    },
  });
  define(globalThis, "__toolcell_load", (evaluate: (toolcell: unknown) => Bundled) => {
    delete (globalThis as { __toolcell_load?: unknown }).__toolcell_load;
    runtime.load(evaluate(freeze({ ToolError, fs: createNodeFiles(() => current), missing })));
  });

  return function deliver(type, number, body) {
    if (type === TO_CELL.DRAIN) return lastOutbox();
    const outbox = openOutbox();
    current = type === TO_CELL.TIMER ? timerCall(number) : runtime.callOf(number);
    if (type === TO_CELL.TIMER) runTimer(number);
    else runtime.receive(type, number, body);
    return outbox;
  };
}
