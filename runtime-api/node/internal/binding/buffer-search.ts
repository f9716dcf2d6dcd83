/** Where `part` stands in `whole`, from `offset` on or back, or -1. In steps of two bytes for text of two-byte units. */
export function search(whole: Uint8Array, part: Uint8Array, offset: number, isForward: boolean, step: 1 | 2, end = whole.length): number {
  const length = Math.max(0, Math.min(whole.length, end < 0 ? whole.length + end : end));
  const from = startOf(offset, length, part.length, isForward);
  if (from < 0) return -1;
  if (part.length === 0) return from;
  if (part.length > length || (step === 2 && (length < 2 || part.length < 2))) return -1;
  const last = length - part.length;
  if (isForward) {
    for (let at = step === 2 ? from & ~1 : from; at <= last; at += step) if (isAt(whole, part, at)) return at;
  } else {
    const first = Math.min(from, last);
    for (let at = step === 2 ? first & ~1 : first; at >= 0; at -= step) if (isAt(whole, part, at)) return at;
  }
  return -1;
}

/** Where the search begins: a negative offset counts from the end, and one past what can be found is as far as it goes. */
function startOf(offset: number, length: number, partLength: number, isForward: boolean): number {
  if (offset < 0) {
    if (offset + length >= 0) return length + offset;
    return isForward || partLength === 0 ? 0 : -1;
  }
  if (offset + partLength <= length) return offset;
  if (partLength === 0) return length;
  return isForward ? -1 : length - 1;
}

function isAt(whole: Uint8Array, part: Uint8Array, at: number): boolean {
  for (let index = 0; index < part.length; index += 1) if (whole[at + index] !== part[index]) return false;
  return true;
}
