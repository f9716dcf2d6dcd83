import { AsyncLocalStorage } from "./internal/async-local-storage.ts";
import { bindToContext, runInContext, currentContext } from "./internal/async-context.ts";

type AnyFunction = (this: unknown, ...args: unknown[]) => unknown;
let lastId = 1;

class AsyncResource {
  readonly #context = currentContext();
  readonly #id = (lastId += 1);
  readonly type: string;

  constructor(type: string) {
    this.type = type;
  }
  static bind(fn: AnyFunction, _type?: string, self?: unknown): AnyFunction {
    return bindToContext(self === undefined ? fn : (...args: unknown[]) => Reflect.apply(fn, self, args));
  }
  runInAsyncScope(fn: AnyFunction, self?: unknown, ...args: unknown[]): unknown {
    return runInContext(this.#context, fn, self, args);
  }
  bind(fn: AnyFunction): AnyFunction {
    return (...args) => this.runInAsyncScope(fn, undefined, ...args);
  }
  emitDestroy(): this {
    return this;
  }
  asyncId(): number {
    return this.#id;
  }
  triggerAsyncId(): number {
    return 0;
  }
}

/** Nobody is told of single operations: a hook that is enabled hears nothing. */
const hook = { enable: () => hook, disable: () => hook };

export const shim = {
  AsyncLocalStorage,
  AsyncResource,
  createHook: () => hook,
  executionAsyncId: () => 1,
  executionAsyncResource: () => ({}),
  triggerAsyncId: () => 0,
  asyncWrapProviders: {},
};
