import { RE2JS } from "re2js";
import { ToolError } from "toolcell/tool";

export type Pattern = RE2JS;

/**
 * A regular expression that finds each match in time linear in the text (RE2): the pattern comes from a model, and a backtracking
 * engine takes for ever on `(a+)+$`. The price is that look-around and back-references do not exist.
 */
export function compilePattern(pattern: string, flags: string, isFixed: boolean): Pattern {
  if (pattern === "") throw new ToolError('"pattern" is empty. Give the text or the regular expression to look for.');
  let bits = 0;
  for (const flag of flags) bits |= FLAGS[flag] ?? refuse(`"flags" has the unknown letter "${flag}". Use any of "i", "m" and "s".`);
  try {
    return RE2JS.compile(isFixed ? RE2JS.quote(pattern) : pattern, bits);
  } catch (error) {
    const reason = (error instanceof Error ? error.message : String(error)).replace("error parsing regexp: ", "");
    return refuse(
      `"pattern" is not a regular expression in RE2 syntax: ${reason}. Look-around and back-references are not available; set "fixed" to true to search for the text as it stands.`,
    );
  }
}

const FLAGS: Readonly<Record<string, number>> = { i: RE2JS.CASE_INSENSITIVE, m: RE2JS.MULTILINE, s: RE2JS.DOTALL };

function refuse(message: string): never {
  throw new ToolError(message);
}
