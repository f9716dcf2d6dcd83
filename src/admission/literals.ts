import type { Json } from "../catalogue/json.ts";
import { ADMISSION } from "../catalogue/texts.ts";
import { lineOf, type Bindings } from "./bindings.ts";
import { FileFault, isStackOverflow } from "./faults.ts";
import { nameOfNode } from "./node-names.ts";
import type { Expression } from "./parse.ts";

export interface Constant {
  readonly value: Json;
  readonly line: number;
}

interface LiteralLimits {
  readonly literalCount: number;
  /** Characters of text in one constant: joining a text with itself doubles it at every step. */
  readonly sourceBytes: number;
}

/** What one constant has come to so far; what it takes from another constant counts again each time. */
interface Reading {
  readonly constant: string;
  readonly bindings: Bindings;
  readonly limits: LiteralLimits;
  readonly open: Set<string>;
  valueCount: number;
  charCount: number;
}

type Member = Extract<Expression, { type: "ObjectExpression" }>["properties"][number];

/** Reads an exported constant as a plain literal, null where the file does not export it. Nothing of the file runs. */
export function readConstant(bindings: Bindings, name: string, limits: LiteralLimits): Constant | null {
  const exported = bindings.exported.get(name);
  if (exported === undefined) return null;
  const { line, local } = exported;
  const binding = local === null ? undefined : bindings.declared.get(local);
  if (binding === undefined || binding.kind === "import") throw new FileFault(ADMISSION.fromElsewhere(name), line);
  if (binding.isRepeated) throw new FileFault(ADMISSION.declaredTwice(name), binding.line);
  if (binding.kind === "pattern") throw new FileFault(ADMISSION.notLiteral(name, "part of a destructuring"), binding.line);
  if (binding.kind === "function" || binding.kind === "class") {
    throw new FileFault(ADMISSION.notLiteral(name, `a ${binding.kind}`), binding.line);
  }
  if (binding.kind === "let") throw new FileFault(ADMISSION.notConst(name), binding.line);
  if (binding.init === null) throw new FileFault(ADMISSION.notLiteral(name, "nothing"), binding.line);
  const reading: Reading = { constant: name, bindings, limits, open: new Set([local ?? name]), valueCount: 0, charCount: 0 };
  try {
    return { value: readValue(binding.init, reading), line: binding.line };
  } catch (error) {
    if (isStackOverflow(error)) throw new FileFault(ADMISSION.nestedTooDeeply, binding.line);
    throw error;
  }
}

function readValue(node: Expression, reading: Reading): Json {
  reading.valueCount += 1;
  const { constant, limits } = reading;
  if (reading.valueCount > limits.literalCount) throw new FileFault(ADMISSION.literalCount(constant, limits.literalCount), lineOf(node));
  switch (node.type) {
    case "StringLiteral":
      return countChars(node.value, node, reading);
    case "NumericLiteral":
    case "BooleanLiteral":
      return node.value;
    case "NullLiteral":
      return null;
    case "TemplateLiteral":
      return readTemplate(node, reading);
    case "UnaryExpression":
      return readNegative(node, reading);
    case "BinaryExpression":
      return readJoined(node, reading);
    case "ArrayExpression":
      return node.elements.map((element) => {
        if (element === null) throw refuse(node, reading, "an array with a gap");
        if (element.type === "SpreadElement") throw refuse(element, reading);
        return readValue(element, reading);
      });
    case "ObjectExpression":
      return Object.fromEntries(node.properties.map((property) => readMember(property, reading)));
    case "Identifier":
      return readNamed(node.name, node, reading);
    case "TSAsExpression":
    case "TSSatisfiesExpression":
      return readValue(node.expression, reading);
    case "ParenthesizedExpression":
      return readValue(node.expression, reading);
    default:
      throw refuse(node, reading);
  }
}

function readTemplate(node: Extract<Expression, { type: "TemplateLiteral" }>, reading: Reading): string {
  const [text] = node.quasis;
  if (node.expressions.length > 0 || text === undefined) throw refuse(node, reading, "a template with ${}");
  return countChars(text.value.cooked ?? text.value.raw, node, reading);
}

function readNegative(node: Extract<Expression, { type: "UnaryExpression" }>, reading: Reading): number {
  if ((node.operator !== "-" && node.operator !== "+") || node.argument.type !== "NumericLiteral") throw refuse(node, reading);
  return node.operator === "-" ? -node.argument.value : node.argument.value;
}

/** A long sum leans to the left by thousands of levels, so it is walked and not descended. */
function readJoined(node: Extract<Expression, { type: "BinaryExpression" }>, reading: Reading): string {
  const parts: string[] = [];
  let rest: Expression = node;
  while (rest.type === "BinaryExpression") {
    if (rest.operator !== "+" || rest.left.type === "PrivateName") throw refuse(rest, reading);
    parts.push(readPart(rest.right, reading));
    rest = rest.left;
  }
  parts.push(readPart(rest, reading));
  return parts.reverse().join("");
}

function readPart(node: Expression, reading: Reading): string {
  const part = readValue(node, reading);
  if (typeof part !== "string") throw refuse(node, reading, "a sum of something other than strings");
  return part;
}

function readMember(member: Member, reading: Reading): [string, Json] {
  if (member.type !== "ObjectProperty") throw refuse(member, reading);
  if (member.computed) throw refuse(member, reading, "an object with a computed key");
  const { key, value } = member;
  const name = key.type === "Identifier" ? key.name : key.type === "StringLiteral" ? key.value : toNumericKey(key);
  if (name === null) throw refuse(member, reading, "an object with a key that is no name");
  if (name === "__proto__") throw refuse(member, reading, 'an object with the key "__proto__"');
  // In `{ a }` the value is the name; patterns only stand where something is assigned to.
  return [countChars(name, member, reading), readValue(value as Expression, reading)];
}

function toNumericKey(key: { type: string; value?: unknown }): string | null {
  return key.type === "NumericLiteral" ? String(key.value) : null;
}

function readNamed(name: string, node: Expression, reading: Reading): Json {
  const { constant, bindings, open } = reading;
  if (name === "undefined") throw refuse(node, reading, "undefined");
  const binding = bindings.declared.get(name);
  if (binding === undefined || binding.init === null || binding.isRepeated || (binding.kind !== "const" && binding.kind !== "var")) {
    throw new FileFault(ADMISSION.unknownConstant(constant, name), lineOf(node));
  }
  if (open.has(name)) throw new FileFault(ADMISSION.selfReference(constant, name), lineOf(node));
  open.add(name);
  const value = readValue(binding.init, reading);
  open.delete(name);
  return value;
}

function countChars(text: string, node: { loc?: Expression["loc"] }, reading: Reading): string {
  reading.charCount += text.length;
  const { constant, limits } = reading;
  if (reading.charCount > limits.sourceBytes) throw new FileFault(ADMISSION.literalChars(constant, limits.sourceBytes), lineOf(node));
  return text;
}

function refuse(node: { type: string; loc?: Expression["loc"] }, reading: Reading, found = nameOfNode(node.type)): FileFault {
  return new FileFault(ADMISSION.notLiteral(reading.constant, found), lineOf(node));
}
