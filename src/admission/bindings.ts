import type { Expression, Program, Statement } from "./parse.ts";

/** A name declared at the top of a file: where, how, and with what value. */
interface Binding {
  readonly line: number;
  readonly kind: "const" | "var" | "let" | "function" | "class" | "import" | "pattern";
  readonly init: Expression | null;
  readonly isRepeated: boolean;
}

/** What a file exports under one name: a name of its own, or something of another file. */
type Export = { readonly line: number; readonly local: string } | { readonly line: number; readonly local: null };

export interface Bindings {
  readonly declared: ReadonlyMap<string, Binding>;
  readonly exported: ReadonlyMap<string, Export>;
}

type Declarations = Map<string, Binding>;

/**
 * The top-level names of a file and its exports. `export const NAME = …` and the form that bundlers write,
 * `var NAME = …; export { NAME }`, come to the same. `export * from` names nothing that could be read here.
 */
export function readBindings(program: Program): Bindings {
  const declared: Declarations = new Map();
  const exported = new Map<string, Export>();
  for (const statement of program.body) {
    if (statement.type !== "ExportNamedDeclaration") {
      declare(statement, declared);
      continue;
    }
    if (statement.exportKind === "type") continue;
    const line = lineOf(statement);
    if (statement.declaration) {
      for (const name of declare(statement.declaration, declared)) exported.set(name, { line, local: name });
    }
    for (const specifier of statement.specifiers) {
      if (specifier.type === "ExportSpecifier") {
        if (specifier.exportKind === "type") continue;
        const local = statement.source ? null : specifier.local.name;
        exported.set(toName(specifier.exported), { line: lineOf(specifier), local });
      } else if (specifier.type === "ExportNamespaceSpecifier") {
        exported.set(specifier.exported.name, { line: lineOf(specifier), local: null });
      }
    }
  }
  return { declared, exported };
}

export function lineOf(node: { loc?: { start: { line: number } } | null | undefined }): number {
  return node.loc?.start.line ?? 1;
}

/** The names a statement declares, each also put into `declared`. A declaration that only types see declares nothing. */
function declare(statement: Statement, declared: Declarations): string[] {
  const names: string[] = [];
  const add = (name: string, binding: Omit<Binding, "isRepeated">): void => {
    declared.set(name, { ...binding, isRepeated: declared.has(name) });
    names.push(name);
  };
  if (statement.type === "VariableDeclaration" && !statement.declare) {
    const kind = statement.kind === "var" || statement.kind === "let" ? statement.kind : "const";
    for (const declarator of statement.declarations) {
      const { id } = declarator;
      const line = lineOf(declarator);
      if (id.type === "Identifier") add(id.name, { line, kind, init: declarator.init ?? null });
      else for (const name of namesIn(id)) add(name, { line, kind: "pattern", init: null });
    }
  } else if (statement.type === "FunctionDeclaration" && !statement.declare && statement.id) {
    add(statement.id.name, { line: lineOf(statement), kind: "function", init: null });
  } else if (statement.type === "ClassDeclaration" && !statement.declare && statement.id) {
    add(statement.id.name, { line: lineOf(statement), kind: "class", init: null });
  } else if (statement.type === "ImportDeclaration" && statement.importKind !== "type") {
    for (const { local } of statement.specifiers) add(local.name, { line: lineOf(statement), kind: "import", init: null });
  }
  return names;
}

/** The names directly in a destructuring; deeper ones are never constants that are read. */
function namesIn(pattern: { type: string; properties?: unknown; elements?: unknown }): string[] {
  const parts: unknown = pattern.type === "ObjectPattern" ? pattern.properties : pattern.elements;
  if (!Array.isArray(parts)) return [];
  return parts.flatMap((part: unknown) => {
    const target = isNode(part) && part.type === "ObjectProperty" ? part["value"] : part;
    return isNode(target) && target.type === "Identifier" && typeof target["name"] === "string" ? [target["name"]] : [];
  });
}

function isNode(value: unknown): value is { type: string; [key: string]: unknown } {
  return typeof value === "object" && value !== null && "type" in value;
}

function toName(node: { type: "Identifier"; name: string } | { type: "StringLiteral"; value: string }): string {
  return node.type === "Identifier" ? node.name : node.value;
}
