import { WEB } from "../../../../src/catalogue/texts.ts";
import { GuestMap, GuestTypeError, apply, mapForEach, mapGet, mapSet } from "../../intrinsics.ts";
import { isBuffer } from "../bytes.ts";
import { DOMException } from "../dom-exception.ts";
import { assertArguments, installOperations, isObject, toDictionary } from "../interface.ts";
import { deserialize } from "./deserialize.ts";
import { getterOf, type StoredObject } from "./kinds.ts";
import { notCloneable, serialize } from "./serialize.ts";

const symbolIterator: typeof Symbol.iterator = Symbol.iterator;
const isDetached = getterOf(ArrayBuffer.prototype, "detached");

/** Puts structuredClone (HTML Standard, 2.7.10) on the global object. Of what can be handed over it knows ArrayBuffers. */
export function installStructuredClone(target: object): void {
  installOperations(target, {
    structuredClone(value: unknown, options: unknown = undefined): unknown {
      assertArguments(arguments.length, 1, "structuredClone");
      return structuredClone(value, toDictionary(options, "StructuredSerializeOptions")["transfer"]);
    },
  });
}

function structuredClone(value: unknown, transfer: unknown): unknown {
  const transferred = new GuestMap<object, StoredObject>();
  for (const item of toList(transfer)) {
    if (!isBuffer(item)) throw notCloneable(item);
    if (mapGet(transferred, item) !== undefined) throw new DOMException(WEB.transferredTwice, "DataCloneError");
    mapSet(transferred, item, { kind: "transferred", buffer: item });
  }
  const stored = serialize(value, transferred);
  // Reading the value may have handed a buffer over already. Those of them that the value does not hold go all the same.
  mapForEach(transferred, (_stored, buffer) => {
    if (apply(isDetached, buffer as object, [])) throw notCloneable(buffer);
  });
  mapForEach(transferred, (each) => void deserialize(each as StoredObject));
  return deserialize(stored);
}

function toList(transfer: unknown): Iterable<unknown> {
  if (transfer === undefined) return [];
  if (!isObject(transfer) || typeof (transfer as { [Symbol.iterator]?: unknown })[symbolIterator] !== "function")
    throw new GuestTypeError(WEB.notTransferList);
  return transfer as Iterable<unknown>;
}
