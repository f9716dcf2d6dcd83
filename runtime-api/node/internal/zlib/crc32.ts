import { toInput } from "./whole.ts";

let table: Uint32Array | null = null;

export function crc32(data: unknown, value = 0): number {
  table ??= makeTable();
  let sum = ~value;
  for (const byte of toInput(data)) sum = (sum >>> 8) ^ (table[(sum ^ byte) & 0xff] ?? 0);
  return ~sum >>> 0;
}

function makeTable(): Uint32Array {
  return Uint32Array.from({ length: 256 }, (_, index) => {
    let sum = index;
    for (let bit = 0; bit < 8; bit += 1) sum = sum & 1 ? 0xedb88320 ^ (sum >>> 1) : sum >>> 1;
    return sum;
  });
}
