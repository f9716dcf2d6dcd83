/** Whether two values of JSON are the same. Looks at own keys alone, whatever they are called. */
export function isEqual(left: unknown, right: unknown): boolean {
  if (left === right) return true;
  if (typeof left !== "object" || typeof right !== "object" || left === null || right === null) return false;
  if (Array.isArray(left) || Array.isArray(right)) {
    if (!Array.isArray(left) || !Array.isArray(right) || left.length !== right.length) return false;
    return left.every((item, index) => isEqual(item, right[index]));
  }
  const names = Object.keys(left);
  if (names.length !== Object.keys(right).length) return false;
  return names.every((name) => Object.hasOwn(right, name) && isEqual((left as Keyed)[name], (right as Keyed)[name]));
}

type Keyed = Readonly<Record<string, unknown>>;
