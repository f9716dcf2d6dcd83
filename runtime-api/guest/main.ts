import { TO_CELL, type HostFacts } from "../../src/bridge/messages.ts";
import { ToolConfigError } from "../tool-config-error.ts";
import { ToolError } from "../tool-error.ts";
import { installCrypto } from "./crypto.ts";
import type { Call } from "./call.ts";
import { createCredentials } from "./credentials.ts";
import { createNodeFiles } from "./files-node.ts";
import { define, freeze } from "./intrinsics.ts";
import { setNative, setNativeLimits, type Native } from "./native.ts";
import { createNatives } from "./native-shim.ts";
import { shareOutbox, type Emit } from "./outbox.ts";
import { grantWebAssembly, sealRealm } from "./realm.ts";
import { createRuntime, type Bundled } from "./runtime.ts";
import { runTimer, timerCall } from "./timers.ts";
import { createToolCaller, createToolMaker } from "./tools.ts";
import { startClock } from "./web/clock.ts";
import { installWeb } from "./web/install.ts";
import { setEngineVersion } from "./web/navigator.ts";
import { createSignal } from "./web/signal.ts";

/** One turn: a message in, whatever it sets off, messages out into the outbox. */
export type Deliver = (type: number, call: number, body: string) => void;

/** Builds an isolate's realm up and returns the one function through which everything enters. Runs once, before any package's code. */
export function boot(emit: Emit, native: Native, outbox: SharedArrayBuffer): Deliver {
  // Turns come one after the other: whose turn it is, is all that there is to know.
  let current: Call | undefined;
  let host: HostFacts | undefined;

  sealRealm();
  shareOutbox(outbox, emit);
  setNative(native);
  installWeb(globalThis, () => current);
  installCrypto(globalThis);
  const natives = createNatives();
  const runtime = createRuntime({
    emit,
    createSignal,
    configure(config) {
      ({ host } = config);
      startClock();
      setEngineVersion(host.engine);
      setNativeLimits(config.guest);
      if (config.wasm) grantWebAssembly();
    },
    within(call, act) {
      current = call;
      act();
    },
  });
  define(globalThis, "__toolcell_load", (evaluate: (toolcell: unknown) => Bundled) => {
    delete (globalThis as { __toolcell_load?: unknown }).__toolcell_load;
    const fs = createNodeFiles(() => current);
    const callTool = createToolCaller(() => current);
    const makeTool = createToolMaker(() => current);
    const getCredential = createCredentials(() => current);
    runtime.load(evaluate(freeze({ ToolError, ToolConfigError, getCredential, fs, natives, host, callTool, makeTool })));
  });

  return function deliver(type, number, body) {
    current = type === TO_CELL.TIMER ? timerCall(number) : runtime.callOf(number);
    if (type === TO_CELL.TIMER) runTimer(number);
    else runtime.receive(type, number, body);
  };
}
