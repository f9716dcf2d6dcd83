import { PROTOCOL } from "../catalogue/texts.ts";
import { cleanLine } from "../engine/clean.ts";
import type { OfferedTool } from "./offered.ts";
import { argumentsOf } from "./signature.ts";

// Marks that turn the direction of what follows them: with one of these a description could show a reader another line than a model reads.
const DIRECTION = /[\u200e\u200f\u061c\u202a-\u202e\u2066-\u2069]/gu;
// npm allows a package's name no more.
const SOURCE_CHARS = 214;

/**
 * What a model is told that has nothing but its prompt: how a call is written, as `parseAction` reads it, and every tool on a
 * line of its own. Shipped tools come first, so that others add lines at its end and change nothing of what stands before.
 * Empty where there is no tool.
 */
export function toPrompt(tools: readonly OfferedTool[], { promptChars }: { readonly promptChars: number }): string {
  if (tools.length === 0) return "";
  const shippedFirst = [...tools.filter(({ isShipped }) => isShipped), ...tools.filter(({ isShipped }) => !isShipped)];
  const lines = shippedFirst.map((tool, index) => `${lineOf(tool, index + 1, promptChars)}\n`);
  return `${PROTOCOL.how}\n\n${lines.join("")}`;
}

function lineOf({ name, description, inputSchema, source, isShipped }: OfferedTool, number: number, maxChars: number): string {
  const from = isShipped ? "" : ` ${PROTOCOL.from(visibleLine(source, SOURCE_CHARS))}`;
  const head = `${number}. ${name}(`;
  const shown = argumentsText(inputSchema, maxChars - head.length - from.length - 1);
  const call = `${head}${shown})`;
  const rest = maxChars - call.length - from.length - 3;
  const first = description.trim().split("\n", 1)[0] ?? "";
  const told = rest < 2 ? "" : visibleLine(first, rest);
  return `${call}${told === "" ? "" : ` - ${told}`}${from}`;
}

/** As many arguments as there is room for, and how many more there are. */
function argumentsText(schema: OfferedTool["inputSchema"], maxChars: number): string {
  const all = argumentsOf(schema);
  let shown = "";
  for (const [index, { text }] of all.entries()) {
    const next = `${index === 0 ? "" : ", "}${text}`;
    const others = all.length - index;
    const more = `${index === 0 ? "" : ", "}${PROTOCOL.moreArguments(others)}`;
    const isLast = others === 1;
    const reserve = isLast ? 0 : PROTOCOL.moreArguments(others).length + 2;
    if (shown.length + next.length + reserve > maxChars) return `${shown}${more}`;
    shown += next;
  }
  return shown;
}

function visibleLine(text: string, maxChars: number): string {
  return cleanLine(text.replace(DIRECTION, ""), maxChars);
}
