import type { Json } from "../catalogue/json.ts";
import { ACTION, USE } from "../catalogue/texts.ts";
import { cleanLine } from "../engine/clean.ts";
import type { Limits } from "../engine/limits.ts";
import { readLimits } from "../engine/options.ts";
import { LiteralReader } from "./literal-reader.ts";
import { ActionFault } from "./string-reader.ts";

/** A call that a model has written out: what `engine.call` takes, or a sentence for the model that says what is wrong with it. */
export type ParsedAction =
  | { readonly ok: true; readonly tool: string; readonly args: Record<string, Json> }
  | { readonly ok: false; readonly reason: string };

const MARK = "ACTION:";
const TOOL_NAME = /[a-zA-Z_][a-zA-Z0-9_-]*/y;
// Between the mark and the call, and around both: spaces and what Markdown puts around code and bold text.
const AFTER_MARK = /[\s*`]*/y;
const AROUND = /[ \t*`]*/y;
const EXCERPT_CHARS = 40;

/**
 * Finds the call in a model's reply: `ACTION: get_weather(place="Kyoto", days=2)`. Null where the reply holds none. A call that
 * cannot be read as a whole is not read at all, and a reply with two calls holds none that could be told from the other.
 *
 * `limits` are other values for `argumentBytes`, which the text of a call is held to here, and `depthCount`.
 *
 * @example
 * const action = parseAction(reply);
 * if (action === null) return reply;
 * const text = action.ok ? (await engine.call(action.tool, action.args)).text : action.reason;
 */
export function parseAction(text: string, limits: Partial<Pick<Limits, "argumentBytes" | "depthCount">> = {}): ParsedAction | null {
  if (typeof text !== "string") throw new TypeError(USE.notText);
  const { argumentBytes, depthCount } = readLimits(limits);
  const mark = findMark(text, 0);
  if (mark === null) return null;
  // What is over the limit is out of sight from here on.
  const seen = text.slice(0, mark.callAt + argumentBytes);
  const reader = new LiteralReader(seen, mark.callAt, depthCount);
  try {
    const action = readCall(reader);
    assertAlone(text, reader.at);
    return action;
  } catch (error) {
    if (!(error instanceof ActionFault)) throw error;
    const isCut = error.isAtEnd && seen.length < text.length;
    return { ok: false, reason: ACTION.refused(isCut ? ACTION.tooLong(argumentBytes) : error.message, excerptOf(text, error.at)) };
  }
}

/** Where a call begins: its mark at the beginning of a line, or anywhere right before a name and a parenthesis. */
function findMark(text: string, from: number): { readonly callAt: number; readonly isCall: boolean } | null {
  for (let at = text.indexOf(MARK, from); at !== -1; at = text.indexOf(MARK, at + MARK.length)) {
    const before = text.charAt(at - 1);
    if (/[\p{L}\p{N}_]/u.test(before)) continue;
    const callAt = endOf(AFTER_MARK, text, at + MARK.length);
    const nameEnd = endOf(TOOL_NAME, text, callAt);
    const isCall = nameEnd > callAt && text.charAt(endOf(/\s*/y, text, nameEnd)) === "(";
    // In quotes within a line it is spoken of.
    if (beginsLine(text, at) || (isCall && !/["'“‘«]/u.test(before))) return { callAt, isCall };
  }
  return null;
}

function readCall(reader: LiteralReader): ParsedAction {
  const from = reader.at;
  const tool = reader.match(TOOL_NAME);
  reader.skipSpace();
  if (tool === null || !reader.take("(")) reader.fail(ACTION.noCall, from);
  if (tool.length > 64) reader.fail(ACTION.toolName);
  const args: Record<string, Json> = {};
  reader.readMembers(args, ")", 1, () => readArgumentName(reader));
  return { ok: true, tool, args };
}

function readArgumentName(reader: LiteralReader): string {
  const from = reader.at;
  const isQuoted = /["']/.test(reader.peek());
  const name = isQuoted ? reader.readString(false) : reader.readName();
  reader.skipSpace();
  if (name === null || !reader.take("=")) reader.fail(ACTION.positional, reader.peek() === "" ? reader.at : from);
  return name;
}

function assertAlone(text: string, end: number): void {
  const after = endOf(AROUND, text, end);
  if (after < text.length && text.charAt(after) !== "\n" && text.charAt(after) !== "\r")
    throw new ActionFault(ACTION.trailing, after, false);
  for (let next = findMark(text, after); next !== null; next = findMark(text, next.callAt))
    if (next.isCall) throw new ActionFault(ACTION.several, next.callAt, false);
}

function endOf(sticky: RegExp, text: string, at: number): number {
  sticky.lastIndex = at;
  return at + (sticky.exec(text)?.[0].length ?? 0);
}

// Nothing but spaces, and what Markdown begins a quote, a list or a heading with, stands before it.
function beginsLine(text: string, at: number): boolean {
  let before = at - 1;
  while (before >= 0 && " \t*`>#-".includes(text.charAt(before))) before -= 1;
  return before < 0 || text.charAt(before) === "\n" || text.charAt(before) === "\r";
}

function excerptOf(text: string, at: number): string | null {
  const excerpt = cleanLine(text.slice(at, at + EXCERPT_CHARS * 2), EXCERPT_CHARS);
  return excerpt === "" ? null : excerpt;
}
