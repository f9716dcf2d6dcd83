/** Asked for by Node's comparisons where a value is a key: none is, in here. */
export const kKeyObject = Symbol("kKeyObject");
export const kKeyType = Symbol("kKeyType");
