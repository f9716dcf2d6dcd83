// Formats that OpenAPI has added, and schemas made from it carry.

const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/;
const INT32 = 2 ** 31;

export function isByte(text: string): boolean {
  return text.length % 4 === 0 && BASE64.test(text);
}

export function isInt32(value: number): boolean {
  return Number.isInteger(value) && value >= -INT32 && value < INT32;
}

export function isInt64(value: number): boolean {
  return Number.isInteger(value);
}
