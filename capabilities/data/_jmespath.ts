import { compile } from "@jmespath-community/jmespath";
import { ToolError } from "toolcell/tool";
import { FUNCTIONS, type Argument, type Expression } from "./_jmespath-functions.ts";
import { compareAs, isEqual, isTruthy, slice, toArithmetic } from "./_jmespath-values.ts";
import { isJsonObject, isList, type JsonValue } from "./_json.ts";

type Node = ReturnType<typeof compile>;
type Variables = ReadonlyMap<string, JsonValue>;

/** A query is cut off after this many steps: nested look-ups into the whole data (`$`) multiply. */
const MOST_STEPS = 5_000_000;

/**
 * JMESPath rather than JSONata: it has no functions of one's own, no recursion and no regular expressions, so that every
 * query ends. The library parses; evaluation is ours, because the library's reads inherited properties, runs data that
 * looks like an expression, and sorts numbers as text. Here a field is an own property or null, and nothing found in
 * the data is ever called.
 */
export function evaluateQuery(data: JsonValue, query: string): JsonValue {
  let node: Node;
  try {
    node = compile(query);
    return new Evaluation(data).visit(node, data, new Map());
  } catch (error) {
    if (error instanceof ToolError) throw error;
    const reason =
      error instanceof RangeError
        ? "it is nested too deeply, or makes too large a value"
        : error instanceof Error
          ? error.message
          : String(error);
    throw new ToolError(
      `"query" is not a JMESPath expression that can be evaluated: ${reason}. Put numbers and literals in backticks, strings in single quotes, and unusual field names in double quotes.`,
    );
  }
}

class Evaluation {
  readonly #root: JsonValue;
  #steps = 0;

  constructor(root: JsonValue) {
    this.#root = root;
  }

  visit(node: Node, value: JsonValue, variables: Variables): JsonValue {
    this.#steps += 1;
    if (this.#steps > MOST_STEPS)
      throw new ToolError(
        `"query" takes more than ${MOST_STEPS} steps on this data. Filter first, and avoid nested look-ups into the whole data.`,
      );
    const visit = (child: Node, on: JsonValue = value): JsonValue => this.visit(child, on, variables);
    switch (node.type) {
      case "Current":
      case "Identity":
        return value;
      case "Root":
        return this.#root;
      case "Literal":
        return node.value;
      case "Field":
        return isJsonObject(value) && Object.hasOwn(value, node.name) ? (value[node.name] ?? null) : null;
      case "Index":
        return isList(value) ? (value.at(node.value) ?? null) : null;
      case "Slice":
        return slice(value, node);
      case "Subexpression": {
        const left = visit(node.left);
        return left === null ? null : visit(node.right, left);
      }
      case "IndexExpression":
      case "Pipe":
        return visit(node.right, visit(node.left));
      case "Projection": {
        const base = visit(node.left);
        if (typeof base === "string" && node.left.type === "IndexExpression") return visit(node.right, base); // A slice of a text.
        return isList(base) ? project(base, (item) => visit(node.right, item)) : null;
      }
      case "ValueProjection": {
        const base = visit(node.left);
        return isJsonObject(base) ? project(Object.values(base), (item) => visit(node.right, item)) : null;
      }
      case "FilterProjection": {
        const base = visit(node.left);
        return isList(base) ? project(base, (item) => (isTruthy(visit(node.condition, item)) ? visit(node.right, item) : null)) : null;
      }
      case "Flatten": {
        const base = visit(node.child);
        return isList(base) ? base.flatMap((item) => item) : null;
      }
      case "MultiSelectList":
        return node.children.map((child) => visit(child));
      case "MultiSelectHash":
        return Object.fromEntries(node.children.map((child) => [child.name, visit(child.value)]));
      case "Comparator": {
        const [left, right] = [visit(node.left), visit(node.right)];
        if (node.name === "EQ") return isEqual(left, right);
        return node.name === "NE" ? !isEqual(left, right) : compareAs(node.name, left, right);
      }
      case "OrExpression": {
        const left = visit(node.left);
        return isTruthy(left) ? left : visit(node.right);
      }
      case "AndExpression": {
        const left = visit(node.left);
        return isTruthy(left) ? visit(node.right) : left;
      }
      case "NotExpression":
        return !isTruthy(visit(node.child));
      case "Ternary":
        return visit(isTruthy(visit(node.condition)) ? node.trueExpr : node.falseExpr);
      case "Arithmetic":
        return toArithmetic(node.operator, visit(node.left), visit(node.right));
      case "Unary":
        return toArithmetic(node.operator, 0, visit(node.operand));
      case "LetExpression": {
        const bound = new Map(variables);
        for (const { variable, reference } of node.bindings) bound.set(variable, visit(reference));
        return this.visit(node.expression, value, bound);
      }
      case "Variable": {
        const bound = variables.get(node.name);
        if (bound === undefined) throw new ToolError(`"query" uses $${node.name}, which no "let" defines.`);
        return bound;
      }
      case "Function":
        return this.#call(node.name, node.children, value, variables);
      case "ExpressionReference":
      case "Binding":
        throw new ToolError('"query" uses "&" where only a value can stand. Use it as an argument, as in sort_by(@, &name).');
    }
  }

  #call(name: string, children: readonly Node[], value: JsonValue, variables: Variables): JsonValue {
    const call = FUNCTIONS.get(name);
    if (call === undefined)
      throw new ToolError(`"query" calls ${name}(), which does not exist. There are: ${[...FUNCTIONS.keys()].join(", ")}.`);
    const args = children.map((child): Argument => {
      if (child.type !== "ExpressionReference") return this.visit(child, value, variables);
      const expression: Expression = (on) => this.visit(child.child, on, variables);
      return expression;
    });
    this.#steps += args.reduce<number>((sum, arg) => sum + (isList(arg) ? arg.length : 0), 0);
    return call(args, name);
  }
}

/** What the projection of each item gives, without its nulls. */
function project(items: readonly JsonValue[], each: (item: JsonValue) => JsonValue): JsonValue[] {
  const results: JsonValue[] = [];
  for (const item of items) {
    const result = each(item);
    if (result !== null) results.push(result);
  }
  return results;
}
