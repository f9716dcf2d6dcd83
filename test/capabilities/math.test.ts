import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { buildAll, type BuiltTool } from "./built.ts";

let all: Awaited<ReturnType<typeof buildAll>>;
before(async () => {
  all = await buildAll();
});
after(() => all[Symbol.asyncDispose]());

describe("math_evaluate", () => {
  let evaluate: BuiltTool;
  before(async () => {
    evaluate = await all.tool("math/evaluate");
  });

  const table: [expression: string, text: string][] = [
    ["2 + 3 * 4", "14"],
    ["-2^2", "-4"],
    ["0.1 + 0.2", "0.3"],
    ["10 / 4", "2.5"],
    ["2^0.5", "1.4142135623731"],
    ["7 % 3", "1"],
    ["-7 mod 3", "2"],
    ["5!", "120"],
    ["sqrt(-4)", "2i"],
    ["(1 + 2i) * (3 - i)", "5 + 5i"],
    ["sin(90 deg)", "1"],
    ["log(8, 2)", "3"],
    ["round(2.567, 2)", "2.57"],
    ["gcd(12, 18) + lcm(4, 6)", "18"],
    ["combinations(5, 2)", "10"],
    ["2 > 1 ? 5 : 6", "5"],
    ["1 < 2 < 3", "true"],
    ["bitAnd(12, 10)", "8"],
    ["a = 3; b = a^2; a + b", "12"],
    ["sum(1:100)", "5050"],
    ["mean([1, 2, 3, 6])", "3"],
    ['std([2, 4, 4, 4, 5, 5, 7, 9], "uncorrected")', "2"],
    ["det([1, 2; 3, 4])", "-2"],
    ["[1, 2; 3, 4] * [1; 1]", "[[3], [7]]"],
    ["inv([2, 0; 0, 4])", "[[0.5, 0], [0, 0.25]]"],
    ["[10, 20, 30][2]", "20"],
    ["[10, 20, 30][end]", "30"],
    ["sum([1, 2; 3, 4], 1)", "[4, 6]"],
    ["3 inch to cm", "7.62 cm"],
    ["90 km/h to m/s", "25 m / s"],
    ["30 degC to degF", "86 degF"],
    ["5 kg * 9.81 m/s^2 to N", "49.05 N"],
    ["1 GiB to MiB", "1024 MiB"],
    ["e^(i * pi) + 1 == 0 or true", "true"],
    ["1 / 0", "Infinity"],
    ["speedOfLight to km/s", "299792.458 km / s"],
  ];
  for (const [expression, text] of table) test(`${expression} is ${text}`, () => assert.equal(evaluate.call({ expression }).text, text));

  const variables: [args: Record<string, unknown>, text: string][] = [
    [{ expression: "x + 1", variables: { x: 41 } }, "42"],
    [{ expression: "m * a to N", variables: { m: "5 kg", a: "2 m/s^2" } }, "10 N"],
    [
      {
        expression: "sum(x) + det(y)",
        variables: {
          x: [1, 2],
          y: [
            [1, 0],
            [0, 2],
          ],
        },
      },
      "5",
    ],
    [{ expression: "third * 3", variables: { third: "1/3" }, precision: 40 }, "1"],
    [{ expression: "x * 3", variables: { x: 0.1 }, precision: 30 }, "0.3"],
  ];
  for (const [args, text] of variables) test(`${JSON.stringify(args)} is ${text}`, () => assert.equal(evaluate.call(args).text, text));

  test("calculates in as many digits as asked", () => {
    assert.equal(evaluate.call({ expression: "pi", precision: 50 }).text, "3.1415926535897932384626433832795028841971693993751");
    assert.equal(
      evaluate.call({ expression: "2^200", precision: 64 }).text,
      "1606938044258990275541962092341162602522202993782792835301376",
    );
    assert.equal(evaluate.call({ expression: "2/3", precision: 3 }).text, "0.667");
  });

  test("gives the result as data", () => {
    assert.deepEqual(evaluate.call({ expression: "3 inch to cm" }).payload, {
      text: "7.62 cm",
      type: "unit",
      value: { number: 7.62, unit: "cm" },
    });
    assert.deepEqual(evaluate.call({ expression: "[1, 2; 3, 4]" }).payload.value, [
      [1, 2],
      [3, 4],
    ]);
    assert.deepEqual(evaluate.call({ expression: "1 + 2i" }).payload.value, { re: 1, im: 2 });
    assert.equal(evaluate.call({ expression: "1/3", precision: 20 }).payload.value, "0.33333333333333333333");
  });

  const forbidden = [
    "import({a: 1})",
    'createUnit("foo")',
    'evaluate("1")',
    'parse("1")',
    'compile("1")',
    "config({})",
    'simplify("x")',
    'derivative("x", "x")',
    'typed("a")',
    "constructor",
    'cos.constructor("return 1")()',
    "[1].constructor",
    '"a".constructor',
    '"a"["constructor"]',
    "{a: 1}",
    "f(x) = x",
    "f(f) = f(f)",
    "toString",
    "__proto__",
    "hasOwnProperty(1)",
    "random()",
    "zeros(1000, 1000)",
    "range(1, 5)",
    "a = cos; a.constructor",
    "Unit",
    "type",
    "help(sin)",
    "chain(1)",
    "sin.name",
    "format(1)",
    "map([1], sin.constructor)",
  ];
  for (const expression of forbidden) {
    test(`does not let through ${expression}`, () =>
      assert.match(evaluate.refusal({ expression }), /not available|is no variable|cannot be calculated/));
  }

  test("a variable's text is held to the same rules", () =>
    assert.match(evaluate.refusal({ expression: "x", variables: { x: "import(1)" } }), /calls import\(\)/));

  test("a call leaves nothing behind for the next", () => {
    evaluate.call({ expression: "left = 5" });
    assert.match(evaluate.refusal({ expression: "left" }), /"left", which is no variable/);
  });

  test("says what to do about a wrong expression", () => {
    assert.match(evaluate.refusal({ expression: "x + 1" }), /Give its value in "variables", such as \{"x": 1\}/);
    assert.match(evaluate.refusal({ expression: "foo(1)" }), /calls foo\(\), which is not available\. There are: abs, /);
    assert.match(evaluate.refusal({ expression: "5 kg + 2 m" }), /Units do not match/);
    assert.match(evaluate.refusal({ expression: "(1 + 2" }), /Parenthesis \) expected/);
    assert.match(evaluate.refusal({ expression: "a = 1;" }), /ends in a semicolon/);
    assert.match(evaluate.refusal({ expression: "sin" }), /without calling it/);
    assert.match(evaluate.refusal({ expression: "[1, 2, 3][9]" }), /cannot be calculated/);
  });

  test("ranges and nesting are bounded", () => {
    assert.match(evaluate.refusal({ expression: "sum(1:1e9)" }), /1000000000 values; 100000 are allowed/);
    assert.match(evaluate.refusal({ expression: "(".repeat(9000) }), /cannot be calculated/);
  });
});

describe("math_statistics", () => {
  let statistics: BuiltTool;
  before(async () => {
    statistics = await all.tool("math/statistics");
  });

  test("agrees with worked examples", () => {
    const { payload } = statistics.call({ values: [2, 4, 4, 4, 5, 5, 7, 9], population: true, percentiles: [90] });
    const { count, sum, mean, median, modes, min, max, q1, q3, variance, stdev, outliers, percentiles } = payload;
    assert.deepEqual(
      { count, sum, mean, median, modes, min, max, q1, q3, variance, stdev, outliers, percentiles },
      {
        count: 8,
        sum: 40,
        mean: 5,
        median: 4.5,
        modes: [4],
        min: 2,
        max: 9,
        q1: 4,
        q3: 5.5,
        variance: 4,
        stdev: 2,
        outliers: [9],
        percentiles: { 90: 7.6 },
      },
    );
  });

  test("divides by n - 1 for a sample", () => assert.equal(statistics.call({ values: [1, 2, 3, 4] }).payload.variance, 5 / 3));

  test("fits a line through pairs", () => {
    const { relation } = statistics.call({ values: [1, 2, 3, 4], against: [3, 5, 7, 9] }).payload as {
      relation: { slope: number; intercept: number; correlation: number };
    };
    assert.deepEqual([relation.slope, relation.intercept], [2, 1]);
    assert.ok(Math.abs(relation.correlation - 1) < 1e-12);
  });

  test("says nothing where there is nothing to say", () => {
    const { payload } = statistics.call({ values: [5] });
    assert.deepEqual([payload.stdev, payload.skewness, payload.kurtosis, payload.modes], [null, null, null, []]);
    assert.equal(statistics.call({ values: [-1, 1] }).payload.geometricMean, null);
  });

  test("keeps small numbers beside large ones", () => {
    assert.equal(statistics.call({ values: [1e16, ...Array(10).fill(1), -1e16] }).payload.sum, 10);
  });

  test("does not depend on the order of the values", () => {
    const values = Array.from({ length: 1000 }, (_, index) => Math.sin(index) * 1000);
    assert.deepEqual(statistics.call({ values: values.toReversed() }).payload, statistics.call({ values }).payload);
  });

  test("refuses lists that do not go together", () => {
    assert.match(statistics.refusal({ values: [1, 2], against: [1, 2, 3] }), /"values" has 2 numbers and "against" 3/);
    assert.match(statistics.refusal({ values: [1, 1], against: [1, 2] }), /same number throughout/);
  });
});
