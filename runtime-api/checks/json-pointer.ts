const LOOSE_TILDE = /~(?![01])/;
const PREFIX = /^(?:0|[1-9]\d*)/;

/** RFC 6901: empty, or parts that each begin with a slash, in which `~` stands before 0 or 1 alone. */
export function isJsonPointer(text: string): boolean {
  return (text === "" || text.startsWith("/")) && !LOOSE_TILDE.test(text);
}

/** How many levels up, then `#` or a pointer from there. */
export function isRelativeJsonPointer(text: string): boolean {
  const prefix = PREFIX.exec(text)?.[0];
  if (prefix === undefined) return false;
  const rest = text.slice(prefix.length);
  return rest === "#" || isJsonPointer(rest);
}
