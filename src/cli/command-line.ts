import { CLI } from "../catalogue/texts.ts";
import type { EngineOptions } from "../engine/options.ts";

/** A command line that cannot be followed: exit code 2. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}

/** A command that cannot do what it was asked: exit code 1. Its message is printed as it is. */
export class CommandFailure extends Error {
  override readonly name = "CommandFailure";
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

export interface Flags {
  readonly capabilities: readonly string[];
  readonly workspace: string | null;
  readonly home: string | null;
  /** The folder of the agent whose own tools there are. */
  readonly agent: string | null;
  /** Whether packages of the project in the current folder are looked at. */
  readonly plugins: boolean;
  readonly timeoutMs: number | null;
  readonly json: boolean;
  /** The port of a debugger, for `call` alone. */
  readonly inspectPort: number | null;
  readonly quiet: boolean;
  readonly help: boolean;
  readonly version: boolean;
}

export interface CommandLine {
  readonly command: string | null;
  /** What follows the command, but for the flags that every command takes. */
  readonly words: readonly string[];
  /** Where in them a `--` stood: from there on no word is a flag of toolcell's. Their length where there was none. */
  readonly firstLiteral: number;
  readonly flags: Flags;
}

/** Takes the common flags out of a command line, wherever they stand before a `--`. Throws UsageError. */
export function readCommandLine(argv: readonly string[]): CommandLine {
  const words: string[] = [];
  const flags = {
    capabilities: [] as string[],
    workspace: null as string | null,
    home: null as string | null,
    agent: null as string | null,
    plugins: true,
    timeoutMs: null as number | null,
    json: false,
    inspectPort: null as number | null,
    quiet: false,
    help: false,
    version: false,
  };
  const rest = [...argv];
  let firstLiteral = Infinity;
  for (let word = rest.shift(); word !== undefined; word = rest.shift()) {
    if (word === "--") {
      firstLiteral = words.length;
      words.push(...rest.splice(0));
      break;
    }
    const [name, inline] = splitFlag(word);
    const value = (): string => inline ?? rest.shift() ?? missing(name);
    switch (name) {
      case "--capabilities":
        flags.capabilities.push(value());
        break;
      case "--workspace":
        flags.workspace = value();
        break;
      case "--home":
        flags.home = value();
        break;
      case "--agent":
        flags.agent = value();
        break;
      case "--no-plugins":
        flags.plugins = !isSet(name, inline);
        break;
      case "--timeout":
        flags.timeoutMs = readDuration(value());
        break;
      case "--json":
        flags.json = isSet(name, inline);
        break;
      case "--inspect":
        flags.inspectPort = readPort(inline);
        break;
      case "--quiet":
        flags.quiet = isSet(name, inline);
        break;
      case "--help":
      case "-h":
        flags.help = isSet(name, inline);
        break;
      case "--version":
        flags.version = isSet(name, inline);
        break;
      default:
        words.push(word);
    }
  }
  const [command = null, ...others] = words;
  if (flags.inspectPort !== null && command !== "call") throw new UsageError(CLI.unknownFlag("--inspect"));
  return { command, words: others, firstLiteral: Math.min(Math.max(0, firstLiteral - 1), others.length), flags };
}

/** The flags that every command takes, and `call` besides. */
export const OWN_FLAGS = [
  "--capabilities",
  "--workspace",
  "--home",
  "--agent",
  "--no-plugins",
  "--timeout",
  "--json",
  "--inspect",
  "--quiet",
  "--help",
  "--version",
] as const;

/** Whether a flag is read before any tool's argument of its name. */
export function isOwnFlag(flag: string): boolean {
  return OWN_FLAGS.some((own) => own === flag);
}

/** The engine's options that the common flags stand for. A command that calls nothing keeps no process ready for a call, and none but `watch` waits for a change. */
export function engineOptions({ capabilities, home, agent, workspace, plugins }: Flags): EngineOptions {
  return {
    capabilities,
    plugins,
    watch: false,
    limits: { spareCount: 0 },
    ...(home === null ? {} : { home }),
    ...(agent === null ? {} : { agentDir: agent }),
    ...(workspace === null ? {} : { workspace }),
  };
}

/** The one word that a command takes, and nothing else. Throws UsageError. */
export function onlyWord({ words }: CommandLine, what: string): string {
  const [word, extra] = words;
  if (word === undefined || word.startsWith("-")) throw new UsageError(word === undefined ? CLI.missingWord(what) : CLI.unknownFlag(word));
  if (extra !== undefined) throw new UsageError(CLI.extraWord(extra));
  return word;
}

/** Takes a switch of a command's own out of its words, and says whether it was there. What stands after `--` is no switch. */
export function takeSwitch(line: CommandLine, name: string): readonly [CommandLine, boolean] {
  const flags = line.words.slice(0, line.firstLiteral);
  const kept = flags.filter((word) => word !== name);
  const rest = { ...line, words: [...kept, ...line.words.slice(line.firstLiteral)], firstLiteral: kept.length };
  return [rest, kept.length < flags.length];
}

/** For a command that takes no words. Throws UsageError. */
export function assertNoWords({ words: [word] }: CommandLine): void {
  if (word !== undefined) throw new UsageError(word.startsWith("-") ? CLI.unknownFlag(word) : CLI.extraWord(word));
}

// `--name=value` as its two halves; any other word whole.
function splitFlag(word: string): readonly [string, string?] {
  const at = word.indexOf("=");
  return word.startsWith("--") && at > 0 ? [word.slice(0, at), word.slice(at + 1)] : [word];
}

// A switch is on where it stands: `--json=false` would be on too, against its own words.
function isSet(flag: string, inline: string | undefined): true {
  if (inline !== undefined) throw new UsageError(CLI.strayValue(flag));
  return true;
}

function missing(flag: string): never {
  throw new UsageError(CLI.missingValue(flag));
}

// Node's own default; the port is never on another address than the loopback.
const INSPECT_PORT = 9229;

function readPort(text: string | undefined): number {
  if (text === undefined) return INSPECT_PORT;
  const port = Number(text);
  if (!/^\d+$/u.test(text) || port > 65_535) throw new UsageError(CLI.badPort(text));
  return port;
}

// `500ms`, `30s`, `2m`; a bare number is seconds.
function readDuration(text: string): number {
  const [, number = "", unit = "s"] = /^(\d+(?:\.\d+)?)(ms|s|m|h)?$/u.exec(text) ?? [];
  const factor = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 }[unit] ?? 0;
  const milliseconds = Number(number) * factor;
  if (number === "" || !(milliseconds >= 1)) throw new UsageError(CLI.badDuration(text));
  return Math.round(milliseconds);
}
