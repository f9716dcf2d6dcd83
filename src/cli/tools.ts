import { createEngine } from "../engine/engine.ts";
import { assertNoWords, engineOptions, type CommandLine } from "./command-line.ts";
import { firstLine, skippedText } from "./listing-text.ts";
import { EXIT } from "./exit.ts";

/** `toolcell tools [--json]`: every tool with its source and the first line of its description; what was skipped and why. */
export async function toolsCommand(line: CommandLine): Promise<number> {
  assertNoWords(line);
  await using engine = await createEngine(engineOptions(line.flags));
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
