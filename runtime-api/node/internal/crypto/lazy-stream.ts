type Method = (this: object, ...args: unknown[]) => unknown;
interface Transform {
  readonly prototype: object;
  call(self: object, options: object): void;
}
type Done = (error: unknown, chunk?: unknown) => void;

export interface Streamed {
  /** What comes out for a chunk, or null for nothing. */
  pushed(chunk: unknown, encoding: string): unknown;
  ended(): unknown;
}

declare function require(name: string): unknown;

const METHODS = [
  "write end read pipe unpipe on once off addListener prependListener prependOnceListener removeListener removeAllListeners emit",
  "setEncoding resume pause destroy cork uncork listeners listenerCount eventNames setMaxListeners",
].flatMap((names) => names.split(" "));

/**
 * Makes a class whose objects become streams when they are first used as such. Few are, and the streams cost more to set up
 * than all that a hash takes.
 */
export function streamOnUse(Class: { readonly prototype: object }): void {
  for (const name of METHODS) {
    define(Class.prototype, name, function (this: object, ...args: unknown[]) {
      becomeStream(this, Class.prototype);
      return Reflect.apply(Reflect.get(this, name) as Method, this, args);
    });
  }
  define(Class.prototype, Symbol.asyncIterator, function (this: object) {
    becomeStream(this, Class.prototype);
    return Reflect.apply(Reflect.get(this, Symbol.asyncIterator) as Method, this, []);
  });
}

const streamed = new WeakMap<object, object>();

function becomeStream(self: object, plain: object): void {
  const { Transform } = require("readable-stream/lib/stream.js") as { readonly Transform: Transform };
  const prototype = streamed.get(plain) ?? toStreamPrototype(plain, Transform.prototype);
  streamed.set(plain, prototype);
  Object.setPrototypeOf(self, prototype);
  const own = self as unknown as Streamed;
  Transform.call(self, {
    transform(chunk: unknown, encoding: string, done: Done) {
      settle(done, () => own.pushed(chunk, encoding));
    },
    flush(done: Done) {
      settle(done, () => own.ended());
    },
  });
}

function toStreamPrototype(plain: object, transform: object): object {
  const methods: Record<PropertyKey, PropertyDescriptor> = Object.getOwnPropertyDescriptors(plain);
  for (const name of [...METHODS, Symbol.asyncIterator]) Reflect.deleteProperty(methods, name);
  return Object.create(transform, methods) as object;
}

function settle(done: Done, step: () => unknown): void {
  try {
    done(null, step());
  } catch (error) {
    done(error);
  }
}

function define(target: object, name: PropertyKey, value: Method): void {
  Object.defineProperty(target, name, { value, enumerable: false, writable: true, configurable: true });
}
