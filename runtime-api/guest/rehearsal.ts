import type { GuestConfig } from "../../src/bridge/messages.ts";
import { createCall, type Realm } from "./call.ts";
import { then, GuestPromise } from "./intrinsics.ts";
import { resultMessage } from "./result.ts";

// No tool runs under it, and nothing of it is left.
const CONFIG = {
  paths: {},
  host: {},
  guest: { resultBytes: 1000, depthCount: 8, valueCount: 100, imageCount: 1 },
} as unknown as GuestConfig;

/** Runs what every call runs, and sends nothing: code that runs for the first time is several times slower. */
export function rehearse(realm: Realm): void {
  const { limits, context } = createCall(0, "", null, CONFIG, realm);
  const ending = new GuestPromise((resolve) => resolve({ text: context.callId, summary: "", payload: [1, { of: null }] }));
  void then(ending, (value) => void resultMessage(value, limits));
}
