import jsonata from "jsonata";

export const NAME = "jsonata";
export const DESCRIPTION = "A sum over orders, a filter, and a function of its own.";

const ORDERS = [
  { item: "tea", price: 2.5, count: 4 },
  { item: "cake", price: 3.25, count: 2 },
  { item: "jam", price: 5, count: 1 },
];

export async function run() {
  const total = await jsonata("$sum(orders.(price * count))").evaluate({ orders: ORDERS });
  const dear = await jsonata("orders[price > 3].item").evaluate({ orders: ORDERS });
  const factorial = await jsonata("($f := function($n){ $n <= 1 ? 1 : $n * $f($n - 1) }; $f(10))").evaluate({});
  return { total, dear: [...dear], factorial };
}
