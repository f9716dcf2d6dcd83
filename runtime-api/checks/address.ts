const IPV4 = /^(?:(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(?:\.(?!$)|$)){4}$/;
const GROUP = /^[0-9A-Fa-f]{1,4}$/;
/** The longest that an IPv6 address can be written. */
const IPV6_CHARS = 45;

/** RFC 2673, section 3.2: four numbers without leading zeros. */
export function isIpv4(text: string): boolean {
  return IPV4.test(text);
}

/** RFC 4291, section 2.2, without a zone. */
export function isIpv6(text: string): boolean {
  if (text.length > IPV6_CHARS) return false;
  const halves = text.split("::");
  const [head = "", tail] = halves;
  if (tail === undefined) return countGroups(head, true) === 8;
  const [before, after] = [countGroups(head, false), countGroups(tail, true)];
  return halves.length === 2 && before !== null && after !== null && before + after <= 7;
}

/** How many groups of 16 bits a part stands for, or null; an IPv4 address at its end stands for two. */
function countGroups(part: string, mayEndInIpv4: boolean): number | null {
  if (part === "") return 0;
  const groups = part.split(":");
  const last = groups.at(-1) ?? "";
  const hasIpv4 = mayEndInIpv4 && last.includes(".");
  if (hasIpv4 && !isIpv4(last)) return null;
  const isRight = groups.every((group, index) => (hasIpv4 && index === groups.length - 1) || GROUP.test(group));
  return isRight ? groups.length + (hasIpv4 ? 1 : 0) : null;
}
