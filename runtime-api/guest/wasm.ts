import { NATIVES } from "../../src/catalogue/texts.ts";
import { copyOf } from "./native.ts";
import { GuestTypeError, apply, define } from "./intrinsics.ts";
import { bytesIn, isBuffer } from "./web/bytes.ts";
import { installOperations } from "./web/interface.ts";

const { defineProperty, getOwnPropertyDescriptor } = Reflect;

// What there is of it where no library types it.
interface Wasm {
  readonly Module: (new (bytes: Uint8Array) => object) & { exports(module: unknown): unknown };
  readonly Instance: new (module: object, imports: unknown) => object;
  readonly Memory: { readonly prototype: object };
}

/**
 * Gives WebAssembly, its promises kept here: V8 compiles in the background and resolves in a task of the isolate's, and
 * in a cell an isolate has no tasks of its own, only turns. So a module is compiled in the turn that asks for it, whose CPU
 * limit then counts for it.
 */
export function installWasm(target: object, wasm: object): void {
  const { Module, Instance } = wasm as Wasm;
  const { exports: exportsOf } = Module;
  // Refuses whatever is no module of this realm, and asks the value nothing.
  const isModule = (value: unknown): value is object => {
    try {
      exportsOf(value);
      return true;
    } catch {
      return false;
    }
  };
  const compileNow = (source: unknown): object => {
    const bytes = bytesIn(source);
    if (bytes === null) throw new GuestTypeError(NATIVES.wasmSource);
    return new Module(copyOf(bytes));
  };
  installOperations(wasm, {
    async compile(source: unknown) {
      return compileNow(source);
    },
    async instantiate(source: unknown, ...rest: [imports?: unknown]) {
      if (isModule(source)) return new Instance(source, rest[0]);
      const module = compileNow(source);
      return { module, instance: new Instance(module, rest[0]) };
    },
  });
  withoutShared((wasm as Wasm).Memory.prototype);
  define(target, "WebAssembly", wasm);
}

// A memory may be shared, also one that a module brings, and its buffer would lead to the constructor that was taken out.
function withoutShared(memory: object): void {
  const { get } = getOwnPropertyDescriptor(memory, "buffer") as { get: (this: unknown) => unknown };
  const members = {
    get buffer(): unknown {
      const buffer = apply(get, this, []);
      if (!isBuffer(buffer)) throw new GuestTypeError(NATIVES.sharedMemory);
      return buffer;
    },
  };
  const own = getOwnPropertyDescriptor(members, "buffer");
  defineProperty(memory, "buffer", { __proto__: null, get: own?.get, enumerable: true, configurable: true } as PropertyDescriptor);
}
