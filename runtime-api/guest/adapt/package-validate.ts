import { ADAPTER } from "../../../src/catalogue/texts.ts";
import { ToolError } from "../../tool-error.ts";
import { wordsOf } from "./shared.ts";

const TOLD = 8;

interface Issue {
  readonly message: string;
  readonly path?: readonly unknown[] | undefined;
}
interface StandardSchema {
  readonly "~standard": { validate(value: unknown): StandardResult | Promise<StandardResult> };
}
interface StandardResult {
  readonly value?: unknown;
  readonly issues?: readonly Issue[] | undefined;
}
/** What `jsonSchema()` of the AI SDK gives. */
interface AiSdkSchema {
  validate?(value: unknown): AiSdkResult | Promise<AiSdkResult>;
}
type AiSdkResult = { readonly success: true; readonly value: unknown } | { readonly success: false; readonly error: unknown };

/** The arguments as a tool's own schema gives them on: with its defaults, refined and transformed. Throws for what it does not take. */
export async function checked(given: unknown, args: unknown): Promise<unknown> {
  const schema = isLazy(given) ? given() : given;
  if (isStandard(schema)) {
    const { value, issues } = await schema["~standard"].validate(args);
    if (issues === undefined) return value;
    throw ToolError.ofArguments(ADAPTER.unfit(issues.slice(0, TOLD).map(toLine).join("\n")));
  }
  const { validate } = (schema ?? {}) as AiSdkSchema;
  if (typeof validate !== "function") return args;
  const result = await (schema as Required<AiSdkSchema>).validate(args);
  if (result.success) return result.value;
  throw ToolError.ofArguments(ADAPTER.unfit(wordsOf(result.error)));
}

/** The AI SDK takes a schema that is made only when it is asked for; a schema of some libraries is a function itself. */
export function isLazy(schema: unknown): schema is () => unknown {
  return typeof schema === "function" && !("~standard" in schema);
}

export function isStandard(schema: unknown): schema is StandardSchema {
  return (typeof schema === "object" || typeof schema === "function") && schema !== null && "~standard" in schema;
}

function toLine({ message, path = [] }: Issue): string {
  const at = path.map((part) => String(typeof part === "object" && part !== null ? (part as { key?: unknown }).key : part)).join(".");
  return ADAPTER.issue(at.slice(0, 200), String(message).slice(0, 500));
}
