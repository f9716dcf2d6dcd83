import { createRepairEngine } from "../engine/engine.ts";
import { assertNoWords, engineOptions, type CommandLine } from "./command-line.ts";
import { capabilityText } from "./listing-text.ts";
import { EXIT } from "./exit.ts";

/** `toolcell capabilities [--json]`: the owner's pane. */
export async function capabilitiesCommand(line: CommandLine): Promise<number> {
  assertNoWords(line);
  await using engine = await createRepairEngine(engineOptions(line.flags));
  const entries = engine.capabilities().filter(({ internal }) => !internal);
  if (line.flags.json) process.stdout.write(`${JSON.stringify(entries, null, 2)}\n`);
  else process.stdout.write(entries.map(capabilityText).join("\n"));
  // What is no capability at all, such as a folder that is missing, stands in no entry.
  const strays = engine.skipped().filter(({ source }) => !entries.some(({ name }) => name === source));
  if (!line.flags.quiet)
    for (const { source, name, reason } of strays) process.stderr.write(`${source === name ? name : `${source}/${name}`}: ${reason}\n`);
  return EXIT.ok;
}
