import { createRequire } from "node:module";
import { parentPort, workerData } from "node:worker_threads";
import type ivm from "isolated-vm";

// A worker thread with an isolate in it: JSON comes as a message and goes as one.
const { ivm: addon } = createRequire(import.meta.url)(workerData as string) as { ivm: typeof ivm };
const isolate = new addon.Isolate({ memoryLimit: 128 });
const echo = isolate
  .createContextSync()
  .evalClosureSync("return (body) => JSON.stringify(JSON.parse(body))", [], { result: { reference: true } }) as ivm.Reference<
  (body: string) => string
>;
const answer = (text: string): void => {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a port between threads has no origin
  parentPort?.postMessage(text);
};
parentPort?.on("message", (body: string) => answer(echo.applySync(undefined, [body])));
answer("");
