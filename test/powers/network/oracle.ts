import { isIP } from "node:net";

/** Whether an address is public, by an oracle of its own: numbers, not prefixes. */
export function isPublicByHand(text: string): boolean {
  if (isIP(text) === 4) {
    const [a = 0, b = 0, c = 0, d = 0] = text.split(".").map(Number);
    if (a === 168 && b === 63 && c === 129 && d === 16) return false;
    if (a === 0 || a === 10 || a === 127 || a >= 224) return false;
    if (a === 100 && b >= 64 && b <= 127) return false;
    if ((a === 169 && b === 254) || (a === 172 && b >= 16 && b <= 31) || (a === 192 && b === 168)) return false;
    if (a === 192 && b === 0 && (c === 0 || c === 2)) return false;
    if (a === 192 && b === 88 && c === 99) return false;
    if (a === 198 && (b === 18 || b === 19 || (b === 51 && c === 100))) return false;
    return !(a === 203 && b === 0 && c === 113);
  }
  if (isIP(text) !== 6 || text.includes("%")) return false;
  const canonical = new URL(`http://[${text}]/`).hostname.slice(1, -1);
  const [first = "", second = ""] = canonical.split(":");
  const [high, low] = [Number.parseInt(first === "" ? "0" : first, 16), Number.parseInt(second === "" ? "0" : second, 16)];
  if (high < 0x2000 || high > 0x3fff || high === 0x2002 || high === 0x3ffe) return false;
  if (high === 0x3fff && low < 0x1000) return false;
  return !(high === 0x2001 && (low < 0x200 || low === 0xdb8));
}
