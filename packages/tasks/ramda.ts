import * as R from "ramda";

export const NAME = "ramda";
export const DESCRIPTION = "A pipe with curried functions, a lens, a transducer and a grouping.";

export function run() {
  const total = R.pipe(
    R.filter(R.propSatisfies(R.lt(1), "count")),
    R.map(R.converge(R.multiply, [R.prop("price"), R.prop("count")])),
    R.sum,
  );
  return {
    total: total([
      { price: 2, count: 3 },
      { price: 9, count: 1 },
      { price: 5, count: 2 },
    ]),
    lens: R.over(R.lensPath(["a", 0, "b"]), R.inc, { a: [{ b: 1 }], c: 2 }),
    transduced: R.transduce(R.compose(R.map(R.add(1)), R.take(2)), R.flip(R.append), [], [1, 2, 3]),
    counted: R.countBy(R.toLower, ["a", "B", "A"]),
  };
}
