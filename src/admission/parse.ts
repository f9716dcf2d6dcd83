import { parse, type ParserPlugin } from "@babel/parser";
import { ADMISSION } from "../catalogue/texts.ts";
import { FileFault, isStackOverflow } from "./faults.ts";
import { quotable } from "./visible-text.ts";

export type Program = ReturnType<typeof parse>["program"];
export type Statement = Program["body"][number];
export type Expression = NonNullable<Extract<Statement, { type: "VariableDeclaration" }>["declarations"][number]["init"]>;

const decoder = new TextDecoder("utf-8", { fatal: true });
const PLUGINS: readonly ParserPlugin[] = ["decorators", "decoratorAutoAccessors", "explicitResourceManagement"];

/** The syntax tree of a tool file or an index. Throws FileFault with the line for whatever is no source text. */
export function parseSource(file: string, bytes: Uint8Array): Program {
  const source = toText(bytes);
  const isTypeScript = file.endsWith(".ts") || file.endsWith(".mts");
  try {
    return parse(source, {
      sourceType: "module",
      errorRecovery: false,
      attachComment: false,
      plugins: isTypeScript ? [...PLUGINS, "typescript"] : [...PLUGINS],
    }).program;
  } catch (error) {
    if (isStackOverflow(error)) throw new FileFault(ADMISSION.nestedTooDeeply);
    if (!isSyntaxError(error)) throw error;
    // The parser ends its message with the place, which the fault carries as its line.
    throw new FileFault(ADMISSION.syntax(quotable(error.message.replace(/ \(\d+:\d+\)$/, ""), 300)), error.loc.line);
  }
}

function toText(bytes: Uint8Array): string {
  const [first, second] = bytes;
  if ((first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff)) throw new FileFault(ADMISSION.utf16);
  if (bytes.includes(0)) throw new FileFault(ADMISSION.notText);
  try {
    return decoder.decode(bytes);
  } catch {
    throw new FileFault(ADMISSION.notText);
  }
}

function isSyntaxError(error: unknown): error is SyntaxError & { loc: { line: number } } {
  return error instanceof SyntaxError && "loc" in error && typeof error.loc === "object" && error.loc !== null && "line" in error.loc;
}
