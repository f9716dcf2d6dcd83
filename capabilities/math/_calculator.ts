import * as math from "mathjs";
import { ToolError } from "toolcell/tool";
import { FACTORIES } from "./_functions.ts";

export type Calculator = math.MathJsInstance;

const MOST_EXACT_DIGITS = 15;
/** The most that `precision` allows, and some to spare for rounding. */
const DECIMAL_DIGITS = 110;
const LONGEST_RANGE = 100_000;
let ofNumbers: Calculator | undefined;
let ofDecimals: Calculator | undefined;

/** Up to 15 digits the machine's own numbers do; past that, decimals. Making a calculator takes a while, so each is made once. */
export function calculatorFor(precision: number): Calculator {
  if (precision <= MOST_EXACT_DIGITS) return (ofNumbers ??= createCalculator({ number: "number" }));
  return (ofDecimals ??= createCalculator({ number: "BigNumber", precision: DECIMAL_DIGITS }));
}

function createCalculator(settings: math.ConfigOptions): Calculator {
  // In an expression indices and dimensions count from 1; what turns them is a factory of its own for each function.
  const fromOne = {
    index: math.indexTransformDependencies,
    max: math.maxTransformDependencies,
    mean: math.meanTransformDependencies,
    min: math.minTransformDependencies,
    std: math.stdTransformDependencies,
    sum: math.sumTransformDependencies,
    variance: math.varianceTransformDependencies,
  };
  const machinery = {
    parse: math.parseDependencies,
    format: math.formatDependencies,
    typeOf: math.typeOfDependencies,
    index: math.indexDependencies,
    matrix: math.matrixDependencies,
  };
  // The typings allow for builds of mathjs that lack some of these; this one has them all.
  const calculator = math.create({ ...FACTORIES, ...machinery, fromOne } as math.FactoryFunctionMap, settings);
  calculator.import({ range: toBoundedRange(calculator) }, { override: true });
  return calculator;
}

/** `1:100`, both ends included; mathjs's own makes any length. */
function toBoundedRange(calculator: Calculator): (start: unknown, end: unknown, step?: unknown) => unknown {
  return (start, end, step = 1) => {
    const [from, to, by] = [Number(start), Number(end), Number(step)];
    const length = Math.floor((to - from) / by + 1e-9) + 1;
    if (!Number.isFinite(length))
      throw new ToolError('A range in "expression" needs two numbers and a step that is not 0, as in 1:10 or 0:0.5:2.');
    if (length > LONGEST_RANGE)
      throw new ToolError(`A range in "expression" has ${length} values; ${LONGEST_RANGE} are allowed. Use a formula instead.`);
    const values = Array.from({ length: Math.max(0, length) }, (_, index) => from + index * by);
    return calculator.matrix(isDecimal(calculator) ? values.map((value) => calculator.bignumber(value)) : values);
  };
}

/** How a value is written: the same digits in the text and in the payload. */
export function show(calculator: Calculator, value: unknown, precision: number): string {
  return calculator.format(value, { precision, lowerExp: -7, upperExp: Math.max(MOST_EXACT_DIGITS, precision) });
}

export function isDecimal(calculator: Calculator): boolean {
  return calculator.config({}).number === "BigNumber";
}
