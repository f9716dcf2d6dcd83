import _ from "lodash";

export const NAME = "lodash";
export const DESCRIPTION = "Grouping, a deep copy and merge, a chain, a template, and a debounced function.";

export async function run() {
  const copied = _.cloneDeep({ at: new Date(0), in: [new Map([["k", { v: 1 }]])] });
  const calls: number[] = [];
  const debounced = _.debounce((value: number) => calls.push(value), 5);
  debounced(1);
  debounced(2);
  await new Promise((resolve) => setTimeout(resolve, 40));
  return {
    grouped: _.groupBy(["one", "two", "three"], "length"),
    copied: [copied.at.getTime(), copied.in[0]?.get("k")?.v],
    merged: _.merge({ a: { b: 1 }, c: [1] }, { a: { d: 2 }, c: [3, 4] }),
    chained: _([3, 1, 2])
      .map((value) => value * value)
      .sortBy()
      .take(2)
      .value(),
    filled: _.template("<% _.each(names, n => { %>[<%- n %>]<% }) %>")({ names: ["a", "<b>"] }),
    calls,
  };
}
