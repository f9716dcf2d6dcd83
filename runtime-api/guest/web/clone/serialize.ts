import { WEB } from "../../../../src/catalogue/texts.ts";
import {
  DatePrototype,
  GuestMap,
  ObjectPrototype,
  apply,
  bareArray,
  booleanValue,
  dateValue,
  getPrototypeOf,
  hasOwn,
  isArray,
  isView,
  keysOf,
  mapForEach,
  mapGet,
  mapSet,
  numberValue,
  setForEach,
  slice,
  stringValue,
  toText,
} from "../../intrinsics.ts";
import { isBuffer, kindOfView } from "../bytes.ts";
import { DOMException } from "../dom-exception.ts";
import { isPlatformObject } from "../interface.ts";
import { ERROR_NAMES, getterOf, hasSlot, inherits, uncloneablePrototypes, type Stored, type StoredObject } from "./kinds.ts";
import { copyPlatformObject } from "./platform.ts";

const { getOwnPropertyDescriptor } = Reflect;
const [BooleanPrototype, NumberPrototype, StringPrototype, BigIntPrototype] = [
  Boolean.prototype,
  Number.prototype,
  String.prototype,
  BigInt.prototype,
];
const [RegExpPrototype, MapPrototype, SetPrototype, ErrorPrototype] = [RegExp.prototype, Map.prototype, Set.prototype, Error.prototype];
const bigIntValue = BigInt.prototype.valueOf;
const TypedArrayPrototype = Object.getPrototypeOf(Uint8Array.prototype) as object;
const sourceOf = getterOf(RegExpPrototype, "source");
const flagsOf = getterOf(RegExpPrototype, "flags");
const mapSizeOf = getterOf(MapPrototype, "size");
const setSizeOf = getterOf(SetPrototype, "size");
const isDetached = getterOf(ArrayBuffer.prototype, "detached");
const isResizable = getterOf(ArrayBuffer.prototype, "resizable");
const [typedBuffer, typedOffset, typedLength] = ["buffer", "byteOffset", "length"].map((key) => getterOf(TypedArrayPrototype, key));
const [dataBuffer, dataOffset, dataLength] = ["buffer", "byteOffset", "byteLength"].map((key) => getterOf(DataView.prototype, key));
const byteLengthOf = getterOf(ArrayBuffer.prototype, "byteLength");
const maxLengthOf = getterOf(ArrayBuffer.prototype, "maxByteLength");
const resize = ArrayBuffer.prototype.resize;
const isError = Reflect.get(Error, "isError") as (value: unknown) => boolean;
// As many bytes as the largest element has.
const GROWTH_BYTES = 8;
let uncloneable: object[] | null = null;

/** Reads a value as the structured clone algorithm does. Throws a DataCloneError on what cannot be cloned. */
export function serialize(value: unknown, transferred: ReadonlyMap<object, StoredObject>): Stored {
  const seen = new GuestMap<object, StoredObject>();
  return store(value, transferred, seen);
}

type Seen = Map<object, StoredObject>;

function store(value: unknown, transferred: ReadonlyMap<object, StoredObject>, seen: Seen): Stored {
  if (typeof value === "symbol" || typeof value === "function") throw notCloneable(value);
  if (typeof value !== "object" || value === null) return value as Stored;
  const known = mapGet(seen, value) ?? mapGet(transferred as Seen, value);
  if (known !== undefined) return known;
  const walk = (inner: unknown): Stored => store(inner, transferred, seen);
  const keep = <T extends StoredObject>(stored: T): T => {
    mapSet(seen, value, stored);
    return stored;
  };
  const prototype = getPrototypeOf(value);
  if (isArray(value))
    return storeMembers(value, keep({ kind: "array", length: value.length, keys: bareArray(), values: bareArray() }), walk);
  if (prototype !== ObjectPrototype && prototype !== null) {
    const special = storeSpecial(value, keep, walk);
    if (special !== null) return special;
  }
  return storeMembers(value, keep({ kind: "plain", length: 0, keys: bareArray(), values: bareArray() }), walk);
}

type Keep = <T extends StoredObject>(stored: T) => T;
type Walk = (value: unknown) => Stored;

function storeMembers(value: object, stored: Extract<StoredObject, { keys: string[] }>, walk: Walk): StoredObject {
  const keys = keysOf(value);
  for (let at = 0; at < keys.length; at += 1) {
    const key = keys[at] as string;
    // A getter before may have deleted it.
    if (!hasOwn(value, key)) continue;
    stored.keys[stored.keys.length] = key;
    stored.values[stored.values.length] = walk((value as Record<string, unknown>)[key]);
  }
  return stored;
}

// What is more than its members; null for an instance of a package's own class, which becomes a plain object.
function storeSpecial(value: object, keep: Keep, walk: Walk): StoredObject | null {
  if (inherits(value, DatePrototype) && hasSlot(DatePrototype.getTime, value))
    return keep({ kind: "date", time: dateValue(value as Date) });
  if (isView(value)) return storeView(value, keep, walk);
  if (isBuffer(value)) {
    if (apply(isDetached, value, [])) throw notCloneable(value);
    return keep({ kind: "buffer", buffer: value });
  }
  if (inherits(value, MapPrototype) && hasSlot(mapSizeOf, value)) return storeMap(value as Map<unknown, unknown>, keep, walk);
  if (inherits(value, SetPrototype) && hasSlot(setSizeOf, value)) return storeSet(value as Set<unknown>, keep, walk);
  if (inherits(value, RegExpPrototype) && value !== RegExpPrototype && hasSlot(sourceOf, value))
    return keep({ kind: "regexp", source: toText(apply(sourceOf, value, [])), flags: toText(apply(flagsOf, value, [])) });
  const wrapped = wrappedValue(value);
  if (wrapped !== null) return keep({ kind: "wrapper", value: wrapped });
  if (isPlatformObject(value)) {
    const copy = copyPlatformObject(value);
    if (copy === null) throw notCloneable(value);
    return keep({ kind: "platform", copy });
  }
  if (inherits(value, ErrorPrototype) && isError(value)) return storeError(value, keep, walk);
  uncloneable ??= uncloneablePrototypes();
  for (let at = 0; at < uncloneable.length; at += 1) if (inherits(value, uncloneable[at] as object)) throw notCloneable(value);
  return null;
}

function wrappedValue(value: object): string | number | bigint | boolean | null {
  if (inherits(value, StringPrototype) && hasSlot(StringPrototype.valueOf, value)) return stringValue(value) as string;
  if (inherits(value, NumberPrototype) && hasSlot(NumberPrototype.valueOf, value)) return numberValue(value) as number;
  if (inherits(value, BooleanPrototype) && hasSlot(BooleanPrototype.valueOf, value)) return booleanValue(value) as boolean;
  return inherits(value, BigIntPrototype) && hasSlot(bigIntValue, value) ? apply(bigIntValue, value, []) : null;
}

function storeMap(map: Map<unknown, unknown>, keep: Keep, walk: Walk): StoredObject {
  const stored = keep({ kind: "map", keys: bareArray<Stored>(), values: bareArray<Stored>() });
  // What it holds is listed first: reading an entry may change it.
  const [keys, values]: [unknown[], unknown[]] = [bareArray(), bareArray()];
  mapForEach(map, (value, key) => {
    keys[keys.length] = key;
    values[values.length] = value;
  });
  for (let at = 0; at < keys.length; at += 1) {
    stored.keys[at] = walk(keys[at]);
    stored.values[at] = walk(values[at]);
  }
  return stored;
}

function storeSet(set: Set<unknown>, keep: Keep, walk: Walk): StoredObject {
  const stored = keep({ kind: "set", values: bareArray<Stored>() });
  const values: unknown[] = bareArray();
  setForEach(set, (value) => {
    values[values.length] = value;
  });
  for (let at = 0; at < values.length; at += 1) stored.values[at] = walk(values[at]);
  return stored;
}

function storeView(value: ArrayBufferView, keep: Keep, walk: Walk): StoredObject {
  const kind = kindOfView(value);
  const isData = kind === undefined;
  let buffer: ArrayBuffer;
  let offset: number;
  let length: number;
  try {
    buffer = apply((isData ? dataBuffer : typedBuffer) as () => ArrayBuffer, value, []);
    offset = apply((isData ? dataOffset : typedOffset) as () => number, value, []);
    length = apply((isData ? dataLength : typedLength) as () => number, value, []);
  } catch {
    // A DataView whose buffer is gone, or too short by now.
    throw notCloneable(value);
  }
  if (apply(isDetached, buffer, [])) throw notCloneable(value);
  const bytes = walk(buffer);
  return keep({
    kind: "view",
    type: kind ?? "DataView",
    buffer: bytes,
    offset,
    length: isTracking(value, buffer, isData) ? undefined : length,
  });
}

// A view that was made without a length follows its buffer: the one way to tell is to let the buffer grow for a moment.
function isTracking(view: ArrayBufferView, buffer: ArrayBuffer, isData: boolean): boolean {
  if (apply(isResizable, buffer, []) !== true) return false;
  const size = apply(byteLengthOf, buffer, []) as number;
  const read = (): unknown => apply((isData ? dataLength : typedLength) as () => number, view, []);
  const before = read();
  if (size + GROWTH_BYTES > (apply(maxLengthOf, buffer, []) as number)) return false;
  apply(resize, buffer, [size + GROWTH_BYTES]);
  const isLonger = read() !== before;
  apply(resize, buffer, [size]);
  return isLonger;
}

function storeError(value: object, keep: Keep, walk: Walk): StoredObject {
  const own = (key: string): { readonly value: unknown } | null => {
    const descriptor = getOwnPropertyDescriptor(value, key);
    return descriptor !== undefined && "value" in descriptor ? { value: descriptor.value as unknown } : null;
  };
  const given = toText((value as { name?: unknown }).name);
  let name = "Error";
  for (let at = 0; at < ERROR_NAMES.length; at += 1) if (ERROR_NAMES[at] === given) name = given;
  const message = own("message");
  const stack = (value as { stack?: unknown }).stack;
  const cause = own("cause");
  const stored = {
    kind: "error" as const,
    name,
    message: message === null ? undefined : toText(message.value),
    stack: typeof stack === "string" ? stack : undefined,
    cause: null as { value: Stored } | null,
  };
  keep(stored);
  if (cause !== null) stored.cause = { value: walk(cause.value) };
  return stored;
}

/** What is thrown for a value that cannot be cloned, or not be handed over. */
export function notCloneable(value: unknown): DOMException {
  return new DOMException(WEB.notCloneable(nameOf(value)), "DataCloneError");
}

function nameOf(value: unknown): string {
  if (typeof value === "symbol") return "A symbol";
  if (typeof value === "function") return "A function";
  try {
    const { constructor } = value as { constructor?: { name?: unknown } };
    return typeof constructor?.name === "string" && constructor.name !== "" ? `#<${slice(constructor.name, 0, 40)}>` : "The object";
  } catch {
    return "The object";
  }
}
