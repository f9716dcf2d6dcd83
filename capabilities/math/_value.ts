import { isDecimal, show, type Calculator } from "./_calculator.ts";

/** A result as plain data: what JSON cannot hold exactly (decimals, infinities) as text. */
export function toValue(calculator: Calculator, result: unknown, precision: number): { type: string; value: unknown } {
  const type = calculator.typeOf(result);
  const plain = (part: unknown): unknown => {
    if (typeof part === "number") return Number.isFinite(part) ? Number(part.toPrecision(Math.min(precision, 17))) : String(part);
    if (Array.isArray(part)) return part.map(plain);
    if (typeof part === "object" && part !== null) {
      if ("toArray" in part && typeof part.toArray === "function") return plain(part.toArray());
      if ("re" in part && "im" in part) return { re: plain(part.re), im: plain(part.im) };
      if (calculator.typeOf(part) === "Unit") return toUnit(show(calculator, part, precision), isDecimal(calculator));
      return show(calculator, part, precision);
    }
    return part;
  };
  return { type: TYPES[type] ?? type, value: plain(result) };
}

const TYPES: Readonly<Record<string, string>> = {
  BigNumber: "decimal",
  Complex: "complex",
  DenseMatrix: "matrix",
  SparseMatrix: "matrix",
  Unit: "unit",
  Fraction: "fraction",
};

/** `7.62 cm` as its number and its unit, in the unit that it is shown in. */
function toUnit(shown: string, isText: boolean): { number: number | string; unit: string } {
  const [, number = "1", unit = shown] = /^(\S+) (.*)$/.exec(shown) ?? [];
  return { number: isText ? number : Number(number), unit };
}
