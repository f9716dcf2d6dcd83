/** What a reader calls the pieces of syntax that a constant cannot hold. */
const NAMES: ReadonlyMap<string, string> = new Map([
  ["CallExpression", "a function call"],
  ["OptionalCallExpression", "a function call"],
  ["NewExpression", "a `new` expression"],
  ["ImportExpression", "an import"],
  ["FunctionExpression", "a function"],
  ["ArrowFunctionExpression", "a function"],
  ["ClassExpression", "a class"],
  ["ObjectMethod", "an object with a method or a getter"],
  ["SpreadElement", "a spread (`...`)"],
  ["ConditionalExpression", "a condition (`? :`)"],
  ["LogicalExpression", "a condition (`&&`, `||` or `??`)"],
  ["BinaryExpression", "a calculation"],
  ["UnaryExpression", "a calculation"],
  ["UpdateExpression", "a calculation"],
  ["AssignmentExpression", "an assignment"],
  ["AwaitExpression", "an `await`"],
  ["MemberExpression", "a part of another value"],
  ["OptionalMemberExpression", "a part of another value"],
  ["TaggedTemplateExpression", "a tagged template"],
  ["RegExpLiteral", "a regular expression"],
  ["BigIntLiteral", "a BigInt"],
  ["SequenceExpression", "a list of expressions"],
  ["TSNonNullExpression", "a `!` after a value"],
  ["ThisExpression", "`this`"],
]);

export function nameOfNode(type: string): string {
  return NAMES.get(type) ?? "something other than a literal";
}
