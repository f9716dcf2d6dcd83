type Check = (value: unknown) => boolean;

const toStringOf = Object.prototype.toString;
const typedArrayTag = getterOf(Object.getPrototypeOf(Uint8Array.prototype) as object, Symbol.toStringTag);

/** `util.types`: by what a value holds inside wherever the language lets that be asked, and never by what it says of itself. */
export const types: Readonly<Record<string, Check>> = {
  isExternal: () => false,
  isProxy: () => false,
  isModuleNamespaceObject: (value) => tagOf(value) === "Module" && Object.getPrototypeOf(value) === null,
  isDate: holds((value) => Date.prototype.getTime.call(value)),
  isRegExp: (value) => toStringOf.call(withoutTag(value)) === "[object RegExp]",
  isNativeError: (value) => toStringOf.call(withoutTag(value)) === "[object Error]",
  isArgumentsObject: (value) => toStringOf.call(withoutTag(value)) === "[object Arguments]",
  isPromise: (value) => value instanceof Promise,
  isMap: holds(getterOf(Map.prototype, "size")),
  isSet: holds(getterOf(Set.prototype, "size")),
  isWeakMap: holds((value) => WeakMap.prototype.has.call(value, {})),
  isWeakSet: holds((value) => WeakSet.prototype.has.call(value, {})),
  isArrayBuffer: holds(getterOf(ArrayBuffer.prototype, "byteLength")),
  isAnyArrayBuffer: (value) => isOf("isArrayBuffer", value),
  isSharedArrayBuffer: () => false,
  isDataView: holds(getterOf(DataView.prototype, "byteLength")),
  isArrayBufferView: (value) => ArrayBuffer.isView(value),
  isTypedArray: (value) => arrayTag(value) !== undefined,
  isUint8Array: (value) => arrayTag(value) === "Uint8Array",
  isUint8ClampedArray: (value) => arrayTag(value) === "Uint8ClampedArray",
  isUint16Array: (value) => arrayTag(value) === "Uint16Array",
  isUint32Array: (value) => arrayTag(value) === "Uint32Array",
  isInt8Array: (value) => arrayTag(value) === "Int8Array",
  isInt16Array: (value) => arrayTag(value) === "Int16Array",
  isInt32Array: (value) => arrayTag(value) === "Int32Array",
  isFloat16Array: (value) => arrayTag(value) === "Float16Array",
  isFloat32Array: (value) => arrayTag(value) === "Float32Array",
  isFloat64Array: (value) => arrayTag(value) === "Float64Array",
  isBigInt64Array: (value) => arrayTag(value) === "BigInt64Array",
  isBigUint64Array: (value) => arrayTag(value) === "BigUint64Array",
  isNumberObject: boxed((value) => Number.prototype.valueOf.call(value)),
  isStringObject: boxed((value) => String.prototype.valueOf.call(value)),
  isBooleanObject: boxed((value) => Boolean.prototype.valueOf.call(value)),
  isBigIntObject: boxed((value) => BigInt.prototype.valueOf.call(value)),
  isSymbolObject: boxed((value) => Symbol.prototype.valueOf.call(value)),
  isBoxedPrimitive: (value) =>
    ["isNumberObject", "isStringObject", "isBooleanObject", "isBigIntObject", "isSymbolObject"].some((name) => isOf(name, value)),
  isGeneratorFunction: (value) => typeof value === "function" && /^(?:Async)?GeneratorFunction$/.test(tagOf(value)),
  isAsyncFunction: (value) => typeof value === "function" && /^Async(?:Generator)?Function$/.test(tagOf(value)),
  isGeneratorObject: (value) => /^(?:Async)?Generator$|^Generator$/.test(tagOf(value)),
  isMapIterator: (value) => tagOf(value) === "Map Iterator",
  isSetIterator: (value) => tagOf(value) === "Set Iterator",
  isKeyObject: () => false,
  isCryptoKey: (value) => tagOf(value) === "CryptoKey",
  isEventTarget: (value) => tagOf(value) === "EventTarget",
};

/** One by one, as Node's own modules take them. */
export const {
  isExternal,
  isProxy,
  isModuleNamespaceObject,
  isDate,
  isRegExp,
  isNativeError,
  isArgumentsObject,
  isPromise,
  isMap,
  isSet,
  isWeakMap,
  isWeakSet,
  isArrayBuffer,
  isAnyArrayBuffer,
  isSharedArrayBuffer,
  isDataView,
  isArrayBufferView,
  isTypedArray,
  isUint8Array,
  isUint8ClampedArray,
  isUint16Array,
  isUint32Array,
  isInt8Array,
  isInt16Array,
  isInt32Array,
  isFloat16Array,
  isFloat32Array,
  isFloat64Array,
  isBigInt64Array,
  isBigUint64Array,
  isNumberObject,
  isStringObject,
  isBooleanObject,
  isBigIntObject,
  isSymbolObject,
  isBoxedPrimitive,
  isGeneratorFunction,
  isAsyncFunction,
  isGeneratorObject,
  isMapIterator,
  isSetIterator,
  isKeyObject,
  isCryptoKey,
  isEventTarget,
} = types;

function isOf(name: string, value: unknown): boolean {
  return types[name]?.(value) ?? false;
}

function holds(ask: (value: never) => unknown): Check {
  return (value) => {
    if (typeof value !== "object" || value === null) return false;
    try {
      ask(value as never);
      return true;
    } catch {
      return false;
    }
  };
}

function boxed(ask: (value: never) => unknown): Check {
  return holds(ask);
}

function getterOf(prototype: object, key: PropertyKey): (value: never) => unknown {
  const getter = Object.getOwnPropertyDescriptor(prototype, key)?.get;
  return (value) => (getter === undefined ? undefined : Reflect.apply(getter, value, []));
}

function arrayTag(value: unknown): unknown {
  return typeof value === "object" && value !== null ? typedArrayTag(value as never) : undefined;
}

function tagOf(value: unknown): string {
  return toStringOf.call(value).slice("[object ".length, -1);
}

/** A tag of its own hides what a value is; where it can be seen past, it is. */
function withoutTag(value: unknown): unknown {
  if (typeof value !== "object" || value === null || !(Symbol.toStringTag in value)) return value;
  const own = Object.getOwnPropertyDescriptor(value, Symbol.toStringTag);
  if (own?.configurable !== true) return value;
  Reflect.deleteProperty(value, Symbol.toStringTag);
  const seen = toStringOf.call(value);
  Object.defineProperty(value, Symbol.toStringTag, own);
  return seen === "[object RegExp]" ? /x/ : seen === "[object Error]" ? new Error() : value;
}
