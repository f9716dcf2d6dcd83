/** ECMA-262, read with its Unicode flag, as `pattern` is. */
export function isRegex(text: string): boolean {
  try {
    return new RegExp(text, "u") instanceof RegExp;
  } catch {
    return false;
  }
}
