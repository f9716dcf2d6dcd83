export const constants = { ALL_PROPERTIES: 0, ONLY_ENUMERABLE: 2, SKIP_SYMBOLS: 16, kPending: 0, kRejected: 2 };

export const privateSymbols = { untransferable_object_private_symbol: Symbol("untransferable") };

/** The keys of an array that are no index of it: its enumerable ones alone, and symbols only where they are not skipped. */
export function getOwnNonIndexProperties(value: object, filter: number): PropertyKey[] {
  const keys: PropertyKey[] = (filter & constants.SKIP_SYMBOLS) === 0 ? Reflect.ownKeys(value) : Object.getOwnPropertyNames(value);
  const isIndex = (key: PropertyKey): boolean => typeof key === "string" && String(Number(key) >>> 0) === key && key !== "4294967295";
  return keys.filter((key) => !isIndex(key) && (filter === 0 || Object.prototype.propertyIsEnumerable.call(value, key)));
}

/*
 * What only V8 can see. The language shows neither a promise's state nor what a proxy stands for, nor the rest of an iterator
 * without taking it.
 */

export function getPromiseDetails(): [state: number, result: undefined] {
  return [constants.kPending, undefined];
}

export function getProxyDetails(): undefined {
  return undefined;
}

export function previewEntries(_value: unknown, isIterator?: boolean): unknown {
  return isIterator === true ? [[], false] : [];
}

export function getConstructorName(value: object): string {
  for (let holder: object | null = value; holder !== null; holder = Object.getPrototypeOf(holder) as object | null) {
    const own = Object.getOwnPropertyDescriptor(holder, "constructor")?.value as unknown;
    if (typeof own === "function" && own.name !== "") return own.name;
  }
  return "Object";
}

export function getExternalValue(): bigint {
  return 0n;
}

export function isInsideNodeModules(): boolean {
  return true;
}
