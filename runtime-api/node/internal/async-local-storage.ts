import { bindToContext, currentContext, enterContext, runInContext } from "./async-context.ts";

type AnyFunction = (this: unknown, ...args: unknown[]) => unknown;

/** Node's AsyncLocalStorage: what a call has at hand without passing it on, also after an `await`. */
export class AsyncLocalStorage {
  readonly #key = {};
  readonly #defaultValue: unknown;
  readonly name: string;

  constructor(options?: { readonly defaultValue?: unknown; readonly name?: string }) {
    this.#defaultValue = options?.defaultValue;
    this.name = options?.name ?? "";
  }

  static bind<F extends AnyFunction>(fn: F): F {
    return bindToContext(fn);
  }

  static snapshot(): (fn: AnyFunction, ...args: unknown[]) => unknown {
    return bindToContext((fn: AnyFunction, ...args: unknown[]) => fn(...args));
  }

  getStore(): unknown {
    const context = currentContext();
    return context.has(this.#key) ? context.get(this.#key) : this.#defaultValue;
  }

  run(store: unknown, fn: AnyFunction, ...args: unknown[]): unknown {
    return runInContext(this.#with(store), fn, undefined, args);
  }

  exit(fn: AnyFunction, ...args: unknown[]): unknown {
    return this.run(undefined, fn, ...args);
  }

  enterWith(store: unknown): void {
    enterContext(this.#with(store));
  }

  disable(): void {
    const rest = new Map(currentContext());
    rest.delete(this.#key);
    enterContext(rest);
  }

  withScope(store: unknown): Disposable {
    const before = currentContext();
    this.enterWith(store);
    return { [Symbol.dispose]: () => enterContext(before) };
  }

  #with(store: unknown): ReadonlyMap<object, unknown> {
    return new Map(currentContext()).set(this.#key, store);
  }
}
