import { measureJson } from "../../bridge/measure.ts";
import type { Json } from "../../catalogue/json.ts";
import { POWER, STORAGE } from "../../catalogue/texts.ts";
import { denied, overLimit, PowerError, type Power, type PowerAnswer, type PowerRequest, type PowerUse } from "../power.ts";
import { StorageDatabase, type StorageQuota } from "./database.ts";

export interface StorageLimits extends StorageQuota {
  readonly storageKeyBytes: number;
  readonly storageValueBytes: number;
  readonly depthCount: number;
  readonly valueCount: number;
}

/**
 * Small JSON values that are kept for one capability: over its calls, its reloads and its reinstallation. Whose they are is the
 * call's capability, never anything in a request. Of two calls that set one key the last wins.
 */
export function createStorage(home: string, limits: StorageLimits): Power {
  let database: StorageDatabase | null = null;
  let isClosed = false;

  function open(): StorageDatabase {
    if (isClosed) throw new PowerError("EBADF", STORAGE.closed);
    database ??= StorageDatabase.open(home);
    return database;
  }

  async function perform(request: PowerRequest, use: PowerUse): Promise<PowerAnswer> {
    if (!use.permissions.storage) throw denied(STORAGE.denied);
    const { op, args } = request;
    switch (op) {
      case "get": {
        const key = readKey(args["key"]);
        return noted(use, key, false, () => open().get(use.keptAs ?? use.capability, key));
      }
      case "set": {
        const key = readKey(args["key"]);
        const json = readValue(args["json"]);
        return noted(use, key, true, () => {
          open().set(use.keptAs ?? use.capability, key, json, limits);
          return null;
        });
      }
      case "delete": {
        const key = readKey(args["key"]);
        return noted(use, key, true, () => open().delete(use.keptAs ?? use.capability, key));
      }
      case "list": {
        const prefix = readPrefix(args["prefix"], "prefix");
        const after = readPrefix(args["after"], "after");
        return noted(use, `${prefix}*`, false, () => {
          const { keys, hasMore } = open().list(use.keptAs ?? use.capability, prefix, after, PAGE_BYTES);
          return { keys, hasMore };
        });
      }
      default:
        throw new PowerError("POWER_FAILED", POWER.unknownOp(op.slice(0, 40)));
    }
  }

  function readKey(value: Json | undefined): string {
    const key = readPrefix(value, "key");
    if (key === "") throw new PowerError("EINVAL", STORAGE.emptyKey);
    return key;
  }

  function readPrefix(value: Json | undefined, name: string): string {
    if (typeof value !== "string" || !value.isWellFormed() || value.includes("\0")) throw new PowerError("EINVAL", STORAGE.key(name));
    if (Buffer.byteLength(value) > limits.storageKeyBytes) throw overLimit(STORAGE.keyBytes(limits.storageKeyBytes));
    return value;
  }

  // It stays a text: it is looked at, never turned into objects whose keys are a stranger's.
  function readValue(value: Json | undefined): string {
    if (typeof value !== "string") throw new PowerError("EINVAL", POWER.malformed("value"));
    if (Buffer.byteLength(value) > limits.storageValueBytes) throw overLimit(STORAGE.valueBytes(limits.storageValueBytes));
    const bounds = { depth: limits.depthCount, values: limits.valueCount * 2 };
    const { depth, values } = measureJson(value, bounds);
    if (depth > bounds.depth || values > bounds.values) throw overLimit(STORAGE.valueShape(limits.depthCount, limits.valueCount));
    if (!value.isWellFormed() || !isJson(value)) throw new PowerError("EINVAL", POWER.malformed("value"));
    return value;
  }

  return {
    perform,
    [Symbol.asyncDispose]: () => {
      isClosed = true;
      database?.close();
      database = null;
      return Promise.resolve();
    },
  };
}

// A page of keys, so that an answer fits the bridge however many there are.
const PAGE_BYTES = 512 * 1024;

function noted(use: PowerUse, target: string, changes: boolean, action: () => Json): PowerAnswer {
  const effect = use.effect(target, changes);
  try {
    const value = action();
    effect.done();
    return { value };
  } catch (error) {
    effect.refused();
    throw error;
  }
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
