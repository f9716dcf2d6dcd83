import { GUEST } from "../../src/catalogue/texts.ts";
import type { ToolStorage } from "../types.ts";
import type { Call } from "./call.ts";
import { GuestTypeError, freeze, parseJson } from "./intrinsics.ts";
import { NotJson, payloadJson } from "./payload.ts";
import { PowerError, requestPower } from "./powers.ts";

/** `context.storage` of a call. Values cross as text: the host turns none into an object. */
export function createStorage(callOf: () => Call): ToolStorage {
  async function ask(op: string, args: object): Promise<unknown> {
    return (await requestPower(callOf(), "storage", op, args)).value;
  }
  return freeze({
    async get(key: string) {
      const json = await ask("get", { key: asKey(key) });
      return json === null ? undefined : parseJson(json as string);
    },
    async set(key: string, value: unknown) {
      await ask("set", { key: asKey(key), json: jsonOf(value) });
    },
    async delete(key: string) {
      return (await ask("delete", { key: asKey(key) })) === true;
    },
    async list(prefix: string = "") {
      const keys: string[] = [];
      let hasMore = true;
      while (hasMore) {
        const page = (await ask("list", { prefix: asKey(prefix), after: keys[keys.length - 1] ?? "" })) as KeyPage;
        for (let index = 0; index < page.keys.length; index += 1) keys[keys.length] = page.keys[index] as string;
        hasMore = page.hasMore;
      }
      return keys;
    },
  });

  // The host looks again; here it keeps a giant out of the message.
  function asKey(key: unknown): string {
    const bytes = callOf().limits.storageKeyBytes;
    if (typeof key !== "string" || key.length > bytes) throw new GuestTypeError(GUEST.storeKey(bytes));
    return key;
  }

  function jsonOf(value: unknown): string {
    const { storageValueBytes: bytes, depthCount: depth, valueCount: values } = callOf().limits;
    try {
      return payloadJson(value, { bytes, depth, values });
    } catch (error) {
      if (!(error instanceof NotJson)) throw error;
      if (error.message === GUEST.tooLarge) throw new PowerError("POWER_LIMIT", GUEST.storeTooLarge(bytes));
      throw new GuestTypeError(GUEST.storeNotJson(error.message));
    }
  }
}

interface KeyPage {
  readonly keys: readonly string[];
  readonly hasMore: boolean;
}
