import { derivative, evaluate, matrix, multiply, simplify } from "mathjs";

export const NAME = "mathjs";
export const DESCRIPTION = "A determinant, a complex root, a derivative, a simplified term, units and a matrix product.";

export function run() {
  return {
    determinant: evaluate("det([2, 1; 1, 3])"),
    root: evaluate("sqrt(-4)").toString(),
    derivative: derivative("x^3 + 2x", "x").toString(),
    simplified: simplify("2x + 3x").toString(),
    length: evaluate("5 km to m").toString(),
    product: multiply(
      matrix([
        [1, 2],
        [3, 4],
      ]),
      matrix([
        [0, 1],
        [1, 0],
      ]),
    ).toArray(),
  };
}
