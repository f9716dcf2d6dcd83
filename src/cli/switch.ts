import { CLI } from "../catalogue/texts.ts";
import { createEngine, type Engine } from "../engine/engine.ts";
import { engineOptions, onlyWord, type CommandLine } from "./command-line.ts";
import { EXIT } from "./exit.ts";

/** `toolcell enable <capability>` */
export function enableCommand(line: CommandLine): Promise<number> {
  return decide(line, (engine, name) => engine.enable(name), CLI.enabled);
}

/** `toolcell disable <capability>`: a running engine takes its tools out of every listing, and ends its cell. */
export function disableCommand(line: CommandLine): Promise<number> {
  return decide(line, (engine, name) => engine.disable(name), CLI.disabled);
}

/** `toolcell trust <capability>`: lets one that asks for a worker have it, for the code that it has now. */
export function trustCommand(line: CommandLine): Promise<number> {
  return decide(line, (engine, name) => engine.trust(name), CLI.trusted);
}

/** `toolcell untrust <capability>` */
export function untrustCommand(line: CommandLine): Promise<number> {
  return decide(line, (engine, name) => engine.untrust(name), CLI.untrusted);
}

async function decide(
  line: CommandLine,
  change: (engine: Engine, name: string) => Promise<void>,
  told: (name: string) => string,
): Promise<number> {
  const name = onlyWord(line, CLI.theCapability);
  await using engine = await createEngine(engineOptions(line.flags));
  await change(engine, name);
  process.stdout.write(`${told(name)}\n`);
  return EXIT.ok;
}
