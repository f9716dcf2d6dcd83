import { CLI } from "../catalogue/texts.ts";
import { createEngine, type Engine } from "../engine/engine.ts";
import { assertNoWords, engineOptions, UsageError, type CommandLine } from "./command-line.ts";
import { firstLine, skippedText } from "./listing-text.ts";
import { EXIT } from "./exit.ts";

const FORMS = ["openai", "anthropic", "mcp", "prompt"] as const;
type Form = (typeof FORMS)[number];

/**
 * `toolcell tools [--json]`: every tool with its source and the first line of its description; what was skipped and why.
 * `--as openai|anthropic|mcp|prompt`: what a model of that protocol is given.
 */
export async function toolsCommand(whole: CommandLine): Promise<number> {
  const [line, form] = takeForm(whole);
  assertNoWords(line);
  await using engine = await createEngine(engineOptions(line.flags));
  if (form !== null) {
    process.stdout.write(formText(engine, form));
    if (!line.flags.quiet) process.stderr.write(skippedText(engine.skipped()));
    return EXIT.ok;
  }
  const tools = engine.tools();
  if (line.flags.json) {
    const listed = Object.fromEntries(
      tools.map(({ name, source, description, inputSchema }) => [name, { source, description, input_schema: inputSchema }]),
    );
    process.stdout.write(`${JSON.stringify({ tools: listed, skipped: engine.skipped() }, null, 2)}\n`);
    return EXIT.ok;
  }
  for (const { name, source, description } of tools) {
    const first = firstLine(description);
    process.stdout.write(`${name}  [${source}]\n${first === "" ? "" : `    ${first}\n`}`);
  }
  if (!line.flags.quiet) process.stderr.write(skippedText(engine.skipped()));
  return EXIT.ok;
}

function takeForm(line: CommandLine): readonly [CommandLine, Form | null] {
  const [first = "", second] = line.words;
  if (line.firstLiteral === 0 || (first !== "--as" && !first.startsWith("--as="))) return [line, null];
  const given = first === "--as" ? second : first.slice("--as=".length);
  if (given === undefined || given === "") throw new UsageError(CLI.missingValue("--as"));
  const form = FORMS.find((known) => known === given);
  if (form === undefined) throw new UsageError(CLI.unknownForm(given, FORMS));
  return [{ ...line, words: line.words.slice(first === "--as" ? 2 : 1) }, form];
}

function formText(engine: Engine, form: Form): string {
  return form === "prompt" ? engine.promptText() : `${JSON.stringify(engine.toolDefinitions(form), null, 2)}\n`;
}
