import { CLI } from "../catalogue/texts.ts";
import { createRepairEngine, type Engine } from "../engine/engine.ts";
import { engineOptions, onlyWord, type CommandLine } from "./command-line.ts";
import { EXIT } from "./exit.ts";
import { report } from "./report.ts";

/** `toolcell enable <capability>` */
export function enableCommand(line: CommandLine): Promise<number> {
  return decide(line, (engine, name) => engine.enable(name), { enabled: true }, CLI.enabled);
}

/** `toolcell disable <capability>`: a running engine takes its tools out of every listing, and ends its cell. */
export function disableCommand(line: CommandLine): Promise<number> {
  return decide(line, (engine, name) => engine.disable(name), { enabled: false }, CLI.disabled);
}

/** `toolcell trust <capability>`: lets one that asks for a worker have it, for the code that it has now. */
export function trustCommand(line: CommandLine): Promise<number> {
  return decide(line, (engine, name) => engine.trust(name), { trusted: true }, CLI.trusted);
}

/** `toolcell untrust <capability>` */
export function untrustCommand(line: CommandLine): Promise<number> {
  return decide(line, (engine, name) => engine.untrust(name), { trusted: false }, CLI.untrusted);
}

async function decide(
  line: CommandLine,
  change: (engine: Engine, name: string) => Promise<void>,
  state: object,
  told: (name: string) => string,
): Promise<number> {
  const name = onlyWord(line, CLI.theCapability);
  await using engine = await createRepairEngine(engineOptions(line.flags));
  await change(engine, name);
  report(line.flags, { capability: name, ...state }, told(name));
  return EXIT.ok;
}
