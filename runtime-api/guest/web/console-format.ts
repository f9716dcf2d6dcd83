import { bareArray, charCodeAt, slice, symbolText, toText } from "../intrinsics.ts";

const toInteger = Number.parseInt;
const toFloat = Number.parseFloat;

/**
 * Replaces the specifiers of a format (Console Standard, 2.2): `%s`, `%d`, `%i`, `%f`, and `%c`, which means nothing here.
 * `%o` and `%O` stand for their value as a log line shows any other.
 */
export function formatValues(indent: string, values: readonly unknown[]): unknown[] {
  const parts: unknown[] = bareArray();
  if (indent !== "") parts[0] = slice(indent, 1);
  const format = values[0];
  let next = 1;
  if (typeof format !== "string" || values.length === 1) parts[parts.length] = format;
  else {
    let text = "";
    let from = 0;
    for (let at = 0; at + 1 < format.length; at += 1) {
      if (charCodeAt(format, at) !== 0x25) continue;
      const kind = format[at + 1];
      const isShown = kind === "o" || kind === "O";
      if (kind === "%") text += slice(format, from, at + 1);
      else if (next < values.length && isSpecifier(kind)) {
        text += slice(format, from, at);
        if (isShown) {
          // A line's parts stand apart by a space, so one that is there already is left out.
          if (text !== "") parts[parts.length] = text.endsWith(" ") ? slice(text, 0, -1) : text;
          parts[parts.length] = values[next];
          text = "";
        } else text += convert(kind, values[next]);
        next += 1;
      } else continue;
      at += 1;
      from = at + 1;
      if (isShown && charCodeAt(format, from) === 0x20) from += 1;
    }
    text += slice(format, from);
    if (text !== "" || parts.length === 0) parts[parts.length] = text;
  }
  for (; next < values.length; next += 1) parts[parts.length] = values[next];
  return parts;
}

function isSpecifier(kind: string | undefined): boolean {
  return kind === "s" || kind === "d" || kind === "i" || kind === "f" || kind === "o" || kind === "O" || kind === "c";
}

function convert(kind: string | undefined, value: unknown): string {
  if (kind === "c") return "";
  if (typeof value === "symbol") return kind === "s" ? symbolText(value) : "NaN";
  if (typeof value === "bigint") return `${value}n`;
  try {
    if (kind === "s") return toText(value);
    return toText(kind === "f" ? toFloat(toText(value)) : toInteger(toText(value), 10));
  } catch {
    return "NaN";
  }
}
