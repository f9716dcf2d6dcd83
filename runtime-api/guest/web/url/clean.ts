import { charCodeAt, slice } from "../../intrinsics.ts";

/** Leaves control characters and spaces at both ends away. */
export function trim(text: string): string {
  let from = 0;
  let end = text.length;
  while (from < end && charCodeAt(text, from) <= 0x20) from += 1;
  while (end > from && charCodeAt(text, end - 1) <= 0x20) end -= 1;
  return slice(text, from, end);
}

/** Tabs and line breaks are no part of a URL, wherever they stand. */
export function removeBreaks(text: string): string {
  let cleaned = "";
  let from = 0;
  for (let at = 0; at < text.length; at += 1) {
    const unit = charCodeAt(text, at);
    if (unit !== 0x09 && unit !== 0x0a && unit !== 0x0d) continue;
    cleaned += slice(text, from, at);
    from = at + 1;
  }
  return from === 0 ? text : cleaned + slice(text, from);
}
