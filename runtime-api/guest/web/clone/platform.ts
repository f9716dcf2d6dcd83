import { CryptoKey, makeKey, openKey } from "../../crypto-key.ts";
import { File, bytesOfBlob, isBlob, isFile, makeBlob } from "../blob.ts";
import { DOMException, isDomException } from "../dom-exception.ts";

/** A copy of a platform object (its "serializable" half), or null where its class has none. */
export function copyPlatformObject(value: object): object | null {
  if (isFile(value))
    return new File([bytesOfBlob(value)], value.name, { __proto__: null, type: value.type, lastModified: value.lastModified });
  // Their bytes never change, so two blobs may share them.
  if (isBlob(value)) return makeBlob(bytesOfBlob(value), value.type);
  if (isDomException(value)) return copyException(value);
  return value instanceof CryptoKey ? makeKey(openKey(value)) : null;
}

function copyException(value: DOMException): DOMException {
  const copy = new DOMException(value.message, value.name);
  const { stack } = value;
  if (typeof stack === "string")
    Reflect.defineProperty(copy, "stack", { __proto__: null, value: stack, writable: true, configurable: true } as PropertyDescriptor);
  return copy;
}
