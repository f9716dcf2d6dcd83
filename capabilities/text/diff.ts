import { ToolError, type ToolContext, type ToolResult } from "toolcell/tool";
import { diffByLine, type Difference } from "./_diff-lines.ts";
import { diffByWord } from "./_diff-words.ts";

export const NAME = "text_diff";
export const DESCRIPTION =
  "Compare two versions of a text. By lines: a unified diff that `patch` accepts. By words: [-taken out-] and {+put in+} " +
  "where they stand, which suits prose.";
export const INPUT_SCHEMA = {
  type: "object",
  properties: {
    before: { type: "string", description: "The older text." },
    after: { type: "string", description: "The newer text." },
    mode: { type: "string", enum: ["lines", "words"], default: "lines", description: "What is compared." },
    context: {
      type: "integer",
      minimum: 0,
      maximum: 100,
      default: 3,
      description: "How many unchanged lines (or words) to show around each change.",
    },
  },
  required: ["before", "after"],
  additionalProperties: false,
} as const;

interface Args {
  readonly before: string;
  readonly after: string;
  readonly mode?: "lines" | "words";
  readonly context?: number;
}

/** The search for a shortest edit takes time in the square of the edits it finds: past this many it is given up. */
const MOST_EDITS = 2000;

export function run(_context: ToolContext, { before, after, mode = "lines", context: around = 3 }: Args): ToolResult {
  if (before === after) {
    return { text: "The two texts are the same.", summary: "No difference", payload: { same: true, added: 0, removed: 0 } };
  }
  const difference: Difference | null =
    mode === "lines" ? diffByLine(before, after, around, MOST_EDITS) : diffByWord(before, after, around, MOST_EDITS);
  if (difference === null) {
    const advice = mode === "words" ? 'Use "mode": "lines", or compare smaller parts' : "Compare smaller parts";
    throw new ToolError(`The two texts differ in more than ${MOST_EDITS} ${mode}, too many to compare. ${advice}.`);
  }
  const { text, added, removed, changes } = difference;
  const summary = `${mode === "lines" ? "Lines" : "Words"}: +${added} -${removed}`;
  return { text, summary, payload: { same: false, mode, added, removed, changes } };
}
