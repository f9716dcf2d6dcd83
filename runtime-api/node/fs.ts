import { promises } from "./internal/fs/promises.ts";
import { createReadStream, createWriteStream } from "./internal/fs/streams.ts";
import { callbackify, promisify } from "./internal/util/callbacks.ts";

type AnyFunction = (this: unknown, ...args: unknown[]) => unknown;

const { constants, ...functions } = promises;
const withCallbacks = Object.fromEntries(Object.entries(functions).map(([name, asked]) => [name, withCallback(asked as AnyFunction)]));

function withCallback(asked: AnyFunction): AnyFunction {
  return Object.defineProperty(callbackify(asked), promisify.custom, { value: asked });
}

/** The only one whose callback gets no error. */
function exists(path: unknown, callback: (isThere: boolean) => void): void {
  promises.access(path).then(
    () => callback(true),
    () => callback(false),
  );
}

/** Files of the mounts with callbacks and as streams. What waits for the disk without either cannot be: the host answers later. */
export const shim = {
  ...withCallbacks,
  constants,
  promises,
  exists: Object.defineProperty(exists, promisify.custom, {
    value: (path: unknown) => new Promise((resolve) => exists(path, resolve)),
  }),
  createReadStream,
  createWriteStream,
  ...(constants as Readonly<Record<string, number>>),
};
