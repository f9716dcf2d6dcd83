import stream from "readable-stream/lib/stream.js";
import { Buffer } from "../../buffer.ts";
import { constants } from "./constants.ts";
import { Handle } from "./handle.ts";
import { asZlib, toInput, type Kind, type ZlibOptions } from "./whole.ts";

interface Pushing {
  push(chunk: Uint8Array): boolean;
}
type Done = (error?: unknown) => void;
type TransformClass = new (options: object) => Pushing & { destroy(error?: unknown): void };

const { Transform } = stream as unknown as { readonly Transform: TransformClass };
const CHUNK_BYTES = 16 * 1024;

/** A class of Node's zlib for one kind: bytes go through its handle as they come. */
export function createZlibClass(name: string, kind: Kind): new (options?: ZlibOptions) => object {
  const handles = new WeakMap<object, Handle>();
  const Class = class extends Transform {
    declare bytesWritten: number;
    declare _handle: Handle | null;

    constructor(options: ZlibOptions = {}) {
      super(options);
      begin(this, options);
    }
    _transform(chunk: unknown, _encoding: string, done: Done): void {
      step(this, done, toInput(chunk), false);
    }
    _flush(done: Done): void {
      settle(done, () => {
        for (const piece of handleOf(this).end()) this.push(piece);
      });
    }
    _destroy(error: unknown, done: Done): void {
      handleOf(this).close();
      Object.assign(this, { _handle: null });
      done(error);
    }
    /** As packages of old call it: what these bytes come to, at once. */
    _processChunk(chunk: unknown, flush: number): Uint8Array {
      try {
        return Buffer.concat([...handleOf(this).through(flush, toInput(chunk))]);
      } catch (error) {
        throw asZlib(error);
      } finally {
        const { _handle: handle } = this;
        handle?.close();
      }
    }
    /** Whatever went in so far comes out now. */
    flush(...args: unknown[]): void {
      const done = args.pop();
      step(this, () => void (typeof done === "function" && Reflect.apply(done, this, [])), new Uint8Array(0), true);
    }
    close(done?: Done): void {
      this.destroy();
      done?.();
    }
  };

  // No method of the class's own: an object of another class that inherits from this one has none of those.
  function step(self: Pushing & { bytesWritten: number }, done: Done, bytes: Uint8Array, isFlushed: boolean): void {
    self.bytesWritten += bytes.length;
    settle(done, () => {
      for (const piece of handleOf(self).push(bytes, isFlushed)) self.push(piece);
    });
  }

  function begin(self: object, options: ZlibOptions): void {
    const handle = new Handle(kind, options);
    const chunkBytes = Number(options["chunkSize"] ?? CHUNK_BYTES);
    handles.set(self, handle);
    Object.assign(self, {
      bytesWritten: 0,
      _handle: handle,
      _writeState: handle.state,
      _chunkSize: chunkBytes,
      _outBuffer: Buffer.from(new ArrayBuffer(chunkBytes)),
      _outOffset: 0,
      _finishFlushFlag: options.finishFlush ?? constants["Z_FINISH"],
    });
  }

  function handleOf(self: object): Handle {
    const handle = handles.get(self);
    if (handle === undefined) throw new TypeError(`A stream of zlib is made by \`new ${name}\``);
    return handle;
  }

  Object.defineProperty(Class, "name", { value: name });
  // Old code leaves out the `new`, or calls it on an object of a class of its own that inherits from this one.
  return new Proxy(Class, {
    apply(target, self: unknown, [options = {}]: [ZlibOptions?]) {
      if (!(self instanceof target)) return new target(options);
      Reflect.apply(Transform, self, [options]);
      begin(self, options);
      return undefined;
    },
  });
}

function settle(done: Done, step: () => void): void {
  try {
    step();
  } catch (error) {
    return done(asZlib(error));
  }
  done();
}
