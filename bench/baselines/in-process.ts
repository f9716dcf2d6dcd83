import { once } from "node:events";
import { createRequire } from "node:module";
import { join } from "node:path";
import vm from "node:vm";
import { Worker } from "node:worker_threads";
import type ivm from "isolated-vm";
import { findAddon } from "../../src/cell/addon.ts";
import { loadAddon } from "../../src/keeper/isolate.ts";
import type { EchoArguments, Side, Starter } from "../side.ts";
import { needBaselines } from "./install.ts";

// What stays in one process, with JSON read and written on the far side as everywhere. None of it survives a hostile guest.

const ECHO = "(body) => JSON.stringify(JSON.parse(body))";
const MEMORY_MIB = 128;

type Echo = ivm.Reference<(body: string) => string>;

/** A worker thread with an isolate in it. */
export const worker: Starter = {
  name: "worker thread with an isolate",
  start: async () => {
    const thread = new Worker(join(import.meta.dirname, "worker-thread.ts"), { workerData: findAddon().file });
    await once(thread, "message");
    const waiting: ((body: string) => void)[] = [];
    thread.on("message", (body: string) => waiting.shift()?.(body));
    const ask = (body: string): Promise<string> =>
      new Promise((resolve) => {
        waiting.push(resolve);
        // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a port between threads has no origin
        thread.postMessage(body);
      });
    return toSide(worker.name, ask, async () => void (await thread.terminate()));
  },
};

/** An isolate that stays, called by the thread that has it. */
export const isolate: Starter = {
  name: "isolated-vm in the process",
  start: async () => {
    const made = makeEcho(loadAddon(findAddon().file));
    return toSide(
      isolate.name,
      (body) => made.echo.applySync(undefined, [body]),
      () => made.isolate.dispose(),
    );
  },
};

/** An isolate for each call and gone after it, as libraries for code that a model wrote do it. */
export const freshIsolate: Starter = {
  name: "a fresh isolate for each call",
  start: async () => {
    const addon = loadAddon(findAddon().file);
    const ask = (body: string): string => {
      const made = makeEcho(addon);
      const answer = made.echo.applySync(undefined, [body]);
      made.isolate.dispose();
      return answer;
    };
    return toSide(freshIsolate.name, ask);
  },
};

/** A context of V8's own, which is no seal. */
export const nodeVm: Starter = {
  name: "node:vm",
  start: async () => {
    const echo = vm.runInContext(ECHO, vm.createContext()) as (body: string) => string;
    return toSide(nodeVm.name, echo);
  },
};

interface QuickJsContext {
  newString(text: string): object;
  callFunction(target: object, self: object, ...args: object[]): object;
  evalCode(code: string): object;
  unwrapResult(result: object): Handle;
  getString(handle: object): string;
  readonly undefined: object;
  dispose(): void;
}
interface Handle {
  dispose(): void;
}

/** Another engine for JavaScript, compiled to WebAssembly; one context that stays. */
export const quickjs: Starter = {
  name: "quickjs-emscripten",
  start: async () => {
    needBaselines();
    const require = createRequire(import.meta.url);
    const { getQuickJS } = require("quickjs-emscripten") as { readonly getQuickJS: () => Promise<{ newContext(): QuickJsContext }> };
    const context = (await getQuickJS()).newContext();
    const echo = context.unwrapResult(context.evalCode(ECHO));
    const ask = (body: string): string => {
      const given = context.newString(body) as Handle;
      const answer = context.unwrapResult(context.callFunction(echo, context.undefined, given));
      const text = context.getString(answer);
      given.dispose();
      answer.dispose();
      return text;
    };
    const close = (): void => {
      echo.dispose();
      context.dispose();
    };
    return toSide(quickjs.name, ask, close);
  },
};

function makeEcho(addon: typeof ivm): { readonly isolate: ivm.Isolate; readonly echo: Echo } {
  const made = new addon.Isolate({ memoryLimit: MEMORY_MIB });
  const echo = made.createContextSync().evalClosureSync(`return ${ECHO}`, [], { result: { reference: true } }) as Echo;
  return { isolate: made, echo };
}

function toSide(name: string, ask: (body: string) => Promise<string> | string, close: () => void | Promise<void> = () => undefined): Side {
  const echo = async (args: EchoArguments): Promise<string> => (JSON.parse(await ask(JSON.stringify(args))) as EchoArguments).text;
  return { name, echo, pids: () => [], [Symbol.asyncDispose]: async () => await close() };
}
