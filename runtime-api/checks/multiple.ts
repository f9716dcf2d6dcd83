/**
 * Whether a number is a whole multiple of another, reckoned in the decimals that both are written in: 0.0075 is a multiple
 * of 0.0001, though neither is kept as what it is written.
 */
export function isMultiple(value: number, step: number): boolean {
  // Of whole numbers the remainder is exact.
  if (Number.isInteger(value) && Number.isInteger(step)) return value % step === 0;
  const [left, right] = [toDecimal(value), toDecimal(step)];
  const exponent = Math.min(left.exponent, right.exponent);
  return shift(left, exponent) % shift(right, exponent) === 0n;
}

interface Decimal {
  readonly digits: bigint;
  readonly exponent: number;
}

function toDecimal(value: number): Decimal {
  const [mantissa = "0", power = "0"] = String(value).split("e");
  const [whole = "0", fraction = ""] = mantissa.split(".");
  return { digits: BigInt(whole + fraction), exponent: Number(power) - fraction.length };
}

/** Bounded by what a number can be: at most some 630 digits. */
function shift({ digits, exponent }: Decimal, to: number): bigint {
  return digits * 10n ** BigInt(exponent - to);
}
