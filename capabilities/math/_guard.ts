import type { MathNode } from "mathjs";
import { ToolError } from "toolcell/tool";
import { FACTORIES } from "./_functions.ts";

/**
 * Lets through only the nodes and names on our lists. mathjs guards properties itself; here no expression gets as far
 * as to name one: there are no objects, no property access and no functions of one's own.
 */
export function assertAllowed(root: MathNode, isUnit: (name: string) => boolean, variables: ReadonlySet<string>): void {
  const assigned = new Set(variables);
  root.traverse((node) => {
    if (node.type === "AssignmentNode" && "name" in node && typeof node.name === "string") assigned.add(node.name);
  });
  root.traverse((node, path) => {
    if (!ALLOWED_NODES.has(node.type))
      throw new ToolError(
        `"expression" uses ${WORDS[node.type] ?? `a ${node.type}`}, which is not available. Write plain formulas, with variables and the built-in functions.`,
      );
    if (
      node.type === "IndexNode" &&
      "isObjectProperty" in node &&
      typeof node.isObjectProperty === "function" &&
      node.isObjectProperty() === true
    ) {
      throw new ToolError(
        '"expression" names a property with a dot or a quoted key, which is not available. Put a number in the brackets.',
      );
    }
    if (node.type !== "SymbolNode" || !("name" in node) || typeof node.name !== "string") return;
    const { name } = node;
    if (assigned.has(name)) return;
    const isCalled = path === "fn";
    if (Object.hasOwn(FACTORIES, name) || (!isCalled && isUnit(name))) return;
    if (isCalled)
      throw new ToolError(`"expression" calls ${name}(), which is not available. There are: ${Object.keys(FACTORIES).join(", ")}.`);
    if (!PLACE_NAMES.has(name))
      throw new ToolError(
        `"expression" uses "${name}", which is no variable, unit or constant. Give its value in "variables", such as {"${name}": 1}.`,
      );
  });
}

const ALLOWED_NODES: ReadonlySet<string> = new Set([
  "AccessorNode",
  "ArrayNode",
  "AssignmentNode",
  "BlockNode",
  "ConditionalNode",
  "ConstantNode",
  "FunctionNode",
  "IndexNode",
  "OperatorNode",
  "ParenthesisNode",
  "RangeNode",
  "RelationalNode",
  "SymbolNode",
]);

/** `end` stands for the last index inside brackets. */
const PLACE_NAMES: ReadonlySet<string> = new Set(["end"]);

const WORDS: Readonly<Record<string, string>> = {
  FunctionAssignmentNode: "a function definition",
  ObjectNode: "an object",
};
