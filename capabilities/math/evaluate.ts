import { ToolError, type ToolContext, type ToolResult } from "toolcell/tool";
import { calculatorFor, isDecimal, show, type Calculator } from "./_calculator.ts";
import { assertAllowed } from "./_guard.ts";
import { toValue } from "./_value.ts";

export const NAME = "math_evaluate";
export const DESCRIPTION =
  "Calculate an expression: + - * / ^ % !, functions such as sqrt, log, sin, round, sum, mean, det, units with conversion (`3 inch to cm`, " +
  "`90 km/h to m/s`), complex numbers, lists and matrices, variables (`a = 3; a^2`), and up to 100 digits.";
export const INPUT_SCHEMA = {
  type: "object",
  properties: {
    expression: {
      type: "string",
      minLength: 1,
      maxLength: 10000,
      description: "What to calculate. Several statements are parted by ; or line ends; the last gives the result.",
    },
    variables: {
      type: "object",
      propertyNames: { pattern: "^[A-Za-z_][A-Za-z0-9_]{0,39}$" },
      additionalProperties: { type: ["number", "string", "array"], maxItems: 10000 },
      maxProperties: 100,
      default: {},
      description: 'Values by name: numbers, lists of numbers, or text such as "5 kg" or "1/3".',
    },
    precision: {
      type: "integer",
      minimum: 1,
      maximum: 100,
      default: 14,
      description: "Significant digits of the answer. Past 15 the calculation is done in decimals.",
    },
  },
  required: ["expression"],
  additionalProperties: false,
} as const;

interface Args {
  readonly expression: string;
  readonly variables?: Readonly<Record<string, number | string | readonly unknown[]>>;
  readonly precision?: number;
}

export function run(_context: ToolContext, { expression, variables = {}, precision = 14 }: Args): ToolResult {
  const calculator = calculatorFor(precision);
  const scope = new Map<string, unknown>();
  for (const [name, value] of Object.entries(variables)) scope.set(name, toVariable(calculator, name, value));
  const result = evaluate(calculator, expression, scope, '"expression"');
  const shown = show(calculator, result, precision);
  if (shown.startsWith("function"))
    throw new ToolError('"expression" names a function without calling it. Write its arguments in parentheses.');
  return {
    text: shown,
    summary: shown.length > 80 ? `${shown.slice(0, 79)}…` : shown,
    payload: { text: shown, ...toValue(calculator, result, precision) },
  };
}

function evaluate(calculator: Calculator, expression: string, scope: Map<string, unknown>, where: string): unknown {
  try {
    const node = calculator.parse(expression);
    assertAllowed(node, (name) => isUnit(calculator, name), new Set(scope.keys()));
    const result: unknown = node.evaluate(scope);
    return calculator.typeOf(result) === "ResultSet" ? lastOf(result, expression) : result;
  } catch (error) {
    if (error instanceof ToolError) throw error;
    const reason = isOverflow(error)
      ? "it is nested too deeply, or makes too large a value"
      : error instanceof Error
        ? error.message
        : String(error);
    throw new ToolError(`${where} cannot be calculated: ${reason}. Check the operators, the parentheses and that the units fit.`);
  }
}

/** What the engine itself throws when the stack or a string runs out; mathjs's own range errors say which index is meant. */
function isOverflow(error: unknown): boolean {
  return error instanceof RangeError && /^(?:Maximum call stack|Invalid (?:string|array) length)/.test(error.message);
}

function isUnit(calculator: Calculator, name: string): boolean {
  return calculator.Unit.isValuelessUnit(name);
}

/** What a block of statements ends in; a closing semicolon hides the value, and then there is nothing to show. */
function lastOf(result: unknown, expression: string): unknown {
  const entries =
    typeof result === "object" && result !== null && "entries" in result && Array.isArray(result.entries) ? result.entries : [];
  if (entries.length === 0)
    throw new ToolError(
      `"expression" ends in a semicolon, which hides its value: ${JSON.stringify(expression.slice(-40))}. Leave the last one out.`,
    );
  return entries.at(-1);
}

function toVariable(calculator: Calculator, name: string, value: number | string | readonly unknown[]): unknown {
  if (typeof value === "string") return evaluate(calculator, value, new Map(), `The variable "${name}"`);
  if (Array.isArray(value)) return calculator.matrix(value.map((item) => toItem(calculator, name, item)));
  return isDecimal(calculator) ? calculator.bignumber(String(value)) : value;
}

function toItem(calculator: Calculator, name: string, item: unknown): never {
  const convert = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(convert);
    if (typeof value !== "number")
      throw new ToolError(
        `The variable "${name}" is a list that holds something other than numbers. Give numbers, or lists of numbers of one length.`,
      );
    return isDecimal(calculator) ? calculator.bignumber(String(value)) : value;
  };
  return convert(item) as never; // The typings want mathjs's own kinds of numbers, which this is.
}
