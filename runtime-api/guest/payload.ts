import { GUEST } from "../../src/catalogue/texts.ts";
import {
  ArrayPrototype,
  DatePrototype,
  GuestMap,
  GuestPromise,
  GuestSet,
  ObjectPrototype,
  apply,
  bareArray,
  bigIntText,
  charCodeAt,
  create,
  dateToIso,
  dateValue,
  getPrototypeOf,
  isArray,
  isFinite,
  isView,
  keysOf,
  mapForEach,
  mapSize,
  regExpSource,
  setForEach,
  setSize,
  stringValue,
  numberValue,
  booleanValue,
  toJson,
  toText,
} from "./intrinsics.ts";

/** A value that cannot be a result: the message says where and why. */
export class NotJson {
  readonly message: string;
  constructor(message: string) {
    this.message = message;
  }
}

export interface Bounds {
  readonly bytes: number;
  readonly depth: number;
  readonly values: number;
}

/**
 * The JSON of a value that a package returned; throws NotJson where it has none. The value is walked before it is written,
 * so that one that cannot fit costs no more than one that does: an alias counts each time, a cycle is too deep, a
 * rope is never flattened. NaN and the infinities become null, a Date its ISO text, a Map an object or its entries, a Set
 * an array, a RegExp and a BigInt their text, an Error its name and message, a typed array an array of numbers.
 */
export function payloadJson(value: unknown, bounds: Bounds): string {
  const walk = new Walk(bounds, false);
  walk.visit(value, 0);
  const json = toJson(walk.isPlain ? value : new Walk(bounds, true).visit(value, 0));
  if (typeof json !== "string") throw new NotJson(GUEST.notJson);
  // No unit of a string takes more than three bytes: most texts need not be measured.
  if (json.length * 3 > bounds.bytes && utf8Bytes(json) > bounds.bytes) throw new NotJson(GUEST.tooLarge);
  return json;
}

/** Bytes that a text takes as UTF-8. */
export function utf8Bytes(text: string): number {
  let bytes = 0;
  for (let index = 0; index < text.length; index += 1) {
    const unit = charCodeAt(text, index);
    // A surrogate is half of a character of four bytes.
    bytes += unit < 0x80 ? 1 : unit < 0x800 || (unit >= 0xd800 && unit < 0xe000) ? 2 : 3;
  }
  return bytes;
}

const BOXES = [stringValue, numberValue, booleanValue];
// Past this a decimal takes long to write, and no reader wants it.
const BIGINT_MAX = 2n ** 1024n;

/** One walk over a value: the first finds out whether JSON alone would do, a second copies what needs translating. */
class Walk {
  isPlain = true;
  #bytes: number;
  #values: number;
  readonly #depth: number;
  readonly #copies: boolean;
  readonly #trail: (string | number)[] = bareArray();

  constructor(bounds: Bounds, copies: boolean) {
    this.#bytes = bounds.bytes;
    this.#values = bounds.values;
    this.#depth = bounds.depth;
    this.#copies = copies;
  }

  visit(value: unknown, depth: number): unknown {
    this.#values -= 1;
    if (this.#values < 0) throw new NotJson(GUEST.tooManyValues);
    switch (typeof value) {
      case "string":
        this.#spend(value.length + 2);
        return value;
      case "number":
        this.#spend(1);
        return isFinite(value) ? value : null;
      case "bigint":
        this.isPlain = false;
        if (value >= BIGINT_MAX || value <= -BIGINT_MAX) throw new NotJson(GUEST.bigIntTooLarge(this.#path(depth)));
        return bigIntText(value);
      case "function":
      case "symbol":
        throw new NotJson(GUEST.notData(typeof value, this.#path(depth)));
      case "object":
        if (value === null) return null;
        if (depth >= this.#depth) throw new NotJson(GUEST.tooDeep(this.#depth));
        return this.#visitObject(value, depth);
      default:
        return value;
    }
  }

  #visitObject(value: object, depth: number): unknown {
    if (isArray(value)) return this.#visitArray(value, depth);
    const prototype = getPrototypeOf(value);
    const translate = (value as { toJSON?: unknown }).toJSON;
    if ((prototype === ObjectPrototype || prototype === null) && typeof translate !== "function") return this.#visitRecord(value, depth);
    this.isPlain = false;
    return this.#copies ? this.visit(this.#translated(value, prototype, translate, depth), depth + 1) : null;
  }

  #visitArray(value: readonly unknown[], depth: number): unknown {
    const { length } = value;
    if (length > this.#values) throw new NotJson(GUEST.tooManyValues);
    if (getPrototypeOf(value) !== ArrayPrototype) this.isPlain = false;
    this.#spend(length + 2);
    const copy: unknown[] = bareArray();
    for (let index = 0; index < length; index += 1) {
      this.#trail[depth] = index;
      const item = this.visit(value[index], depth + 1);
      if (this.#copies) copy[index] = item;
    }
    return copy;
  }

  #visitRecord(value: object, depth: number): unknown {
    const copy = create(null);
    const keys = keysOf(value);
    for (let index = 0; index < keys.length; index += 1) {
      const key = keys[index] as string;
      this.#spend(key.length + 4);
      this.#trail[depth] = key;
      const item = this.visit((value as Record<string, unknown>)[key], depth + 1);
      if (this.#copies) copy[key] = item;
    }
    return copy;
  }

  /** What stands for a value that JSON would lose or call into. It is walked in its turn. */
  #translated(value: object, prototype: object | null, translate: unknown, depth: number): unknown {
    if (prototype === DatePrototype) return isFinite(dateValue(value)) ? dateToIso(value) : null;
    if (value instanceof GuestMap) return this.#mapEntries(value);
    if (value instanceof GuestSet) return this.#setItems(value);
    if (value instanceof ArrayBuffer) return this.#viewNumbers(new Uint8Array(value));
    if (isView(value)) return this.#viewNumbers(value);
    if (value instanceof RegExp) return regExpSource(value);
    if (value instanceof Error) return plainRecord("name", toText(value.name), "message", toText(value.message));
    const primitive = unboxed(value);
    if (primitive !== undefined) return primitive;
    const opaque = opaqueName(value);
    if (opaque !== null) throw new NotJson(GUEST.notData(opaque, this.#path(depth)));
    if (typeof translate === "function") return apply(translate as () => unknown, value, [""]);
    const copy = create(null);
    const keys = keysOf(value);
    for (let index = 0; index < keys.length; index += 1)
      copy[keys[index] as string] = (value as Record<string, unknown>)[keys[index] as string];
    return copy;
  }

  #mapEntries(value: Map<unknown, unknown>): unknown {
    if (mapSize(value) > this.#values) throw new NotJson(GUEST.tooManyValues);
    let isNamed = true;
    const record = create(null);
    const entries: unknown[] = bareArray();
    mapForEach(value, (item, key) => {
      if (typeof key === "string") record[key] = item;
      else isNamed = false;
      entries[entries.length] = [key, item];
    });
    return isNamed ? record : entries;
  }

  #setItems(value: Set<unknown>): unknown {
    if (setSize(value) > this.#values) throw new NotJson(GUEST.tooManyValues);
    const items: unknown[] = bareArray();
    setForEach(value, (item) => {
      items[items.length] = item;
    });
    return items;
  }

  #viewNumbers(view: ArrayBufferView): unknown {
    const { length } = view as unknown as { length?: number };
    if (typeof length !== "number") throw new NotJson(GUEST.dataView);
    if (length > this.#values) throw new NotJson(GUEST.tooManyValues);
    const numbers: unknown[] = bareArray();
    for (let index = 0; index < length; index += 1) numbers[index] = (view as unknown as Record<number, unknown>)[index];
    return numbers;
  }

  #spend(bytes: number): void {
    this.#bytes -= bytes;
    if (this.#bytes < 0) throw new NotJson(GUEST.tooLarge);
  }

  #path(depth: number): string {
    let path = "result";
    for (let level = 0; level < depth; level += 1) path += `.${this.#trail[level] ?? ""}`;
    return path;
  }
}

// The value inside a String, Number or Boolean object. Each method takes its own kind alone.
function unboxed(value: object): unknown {
  for (let index = 0; index < BOXES.length; index += 1) {
    try {
      return (BOXES[index] as (boxed: object) => unknown)(value);
    } catch {
      // It is none of this kind.
    }
  }
  return undefined;
}

// What holds its state where no copy reaches: JSON would make an empty object of it, and nobody would notice.
function opaqueName(value: object): string | null {
  if (value instanceof GuestPromise) return "Promise";
  if (value instanceof WeakMap || value instanceof WeakSet || value instanceof WeakRef) return "weak collection";
  return value instanceof Iterator ? "iterator" : null;
}

function plainRecord(firstKey: string, first: string, secondKey: string, second: string): unknown {
  const record = create(null);
  record[firstKey] = first;
  record[secondKey] = second;
  return record;
}
