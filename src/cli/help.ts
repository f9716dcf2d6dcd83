import { isJsonObject } from "../catalogue/json.ts";
import type { ToolEntry } from "../engine/listing.ts";
import { ENGINE_VERSION } from "../engine/places.ts";

interface CommandHelp {
  readonly usage: string;
  readonly does: string;
  readonly more?: string;
}

const COMMANDS = {
  call: {
    usage: "call <tool> [json] [name=value ...] [--name value ...]",
    does: "Calls a tool once and prints its text",
    more: "A value @file stands for the file's text, - for stdin's; a lone - reads all arguments from stdin as JSON.\n`toolcell call <tool> --help` lists a tool's arguments.",
  },
  tools: { usage: "tools", does: "Lists every tool with its source" },
  capabilities: { usage: "capabilities", does: "Lists every capability with its tools, what it asks for, what is broken and why" },
  check: { usage: "check <folder>", does: "Says what the engine and a store would say of a capability, without running it" },
  test: {
    usage: "test <folder>",
    does: "Runs a capability's own tests, sealed as in production",
    more: "They stand in files that end in .test.ts, beside the tools or in test/. --timeout is the time of one test.",
  },
  bench: {
    usage: "bench [--out FILE] [--compare FILE] <tool> [json] [name=value ...] [--name value ...]",
    does: "Measures what warm calls of a tool cost here, beside a bare round trip and a fresh isolate",
    more: "It calls the tool some thousands of times: choose one that may be. --out saves the run; --compare sets its ratios against a saved one's.",
  },
  new: { usage: "new <name>", does: "Makes a working capability to start from, with its test" },
  grant: {
    usage: "grant <capability> [--yes]",
    does: "Shows what a capability asks for, with its reasons, and gives what you say yes to",
    more: "What it had before is replaced. --yes gives all that is asked, for scripts.",
  },
  revoke: { usage: "revoke <capability>", does: "Takes back all that a capability was granted" },
  enable: { usage: "enable <capability>", does: "Switches a capability on" },
  disable: { usage: "disable <capability>", does: "Switches a capability off: its tools are in no listing any more" },
  trust: {
    usage: "trust <capability>",
    does: 'Lets a capability that asks for RUNTIME = "worker" have all of Node, unsealed',
    more: "It holds for the code that the capability has now: read that first. Changed code has to be trusted again.",
  },
  untrust: { usage: "untrust <capability>", does: "Takes that trust back" },
  refresh: { usage: "refresh", does: "Reads every source again and says what came of it" },
  watch: {
    usage: "watch",
    does: "Keeps running, takes what changes on disk, and prints what happens",
    more: "It ends on an interrupt. --json prints one event a line.",
  },
  secret: {
    usage: "secret set|list|remove [NAME]",
    does: "Sets, lists or removes the secrets that capabilities may be granted",
    more: "The value is read from stdin, or asked for on a terminal without showing it; it is never an argument.\n`list` names each secret and the capabilities that ask for it.",
  },
  doctor: { usage: "doctor", does: "Tries out what this machine can seal" },
} as const satisfies Record<string, CommandHelp>;

const FLAGS = `Flags:
  --capabilities DIR   a folder of capabilities, beside the shipped ones (repeatable)
  --workspace DIR      the folder that tools work on
  --home DIR           the engine's home (default ~/.toolcell, or TOOLCELL_HOME)
  --timeout 30s        the whole time of a call
  --json               the result as JSON
  --inspect[=PORT]     with call: waits for a debugger, for a trusted capability of the worker runtime
  --quiet              no progress and no remarks
  --help, --version

Exit codes: 0 done, 1 the tool failed or a capability is not taken, 2 wrong usage.`;

/** The whole help. */
export const HELP = `toolcell ${ENGINE_VERSION}: runs an agent's tools sealed

Usage: toolcell <command> [flags]

Commands:
${Object.values(COMMANDS)
  .map(({ usage, does }) => `  ${usage}\n      ${does}`)
  .join("\n")}

${FLAGS}`;

/** One command's help; the whole of it for a name that is none. */
export function helpOf(command: string): string {
  const help: CommandHelp | undefined = Object.entries(COMMANDS).find(([name]) => name === command)?.[1];
  if (help === undefined) return HELP;
  return `Usage: toolcell ${help.usage}\n\n${help.does}.${help.more === undefined ? "" : `\n${help.more}`}\n\n${FLAGS}`;
}

/** A tool's own help, from its schema. */
export function toolHelp({ name, description, inputSchema }: ToolEntry): string {
  const properties = isJsonObject(inputSchema["properties"]) ? inputSchema["properties"] : {};
  const required = Array.isArray(inputSchema["required"]) ? (inputSchema["required"] as unknown[]) : [];
  const lines = Object.entries(properties).map(([property, schema]) => {
    const { type, description: about, default: preset } = isJsonObject(schema) ? schema : {};
    const kind = typeof type === "string" ? type : "any";
    const notes = [
      required.includes(property) ? "required" : null,
      preset === undefined ? null : `default ${JSON.stringify(preset)}`,
    ].filter((note) => note !== null);
    return `  ${property}=<${kind}>${notes.length === 0 ? "" : `  (${notes.join(", ")})`}${typeof about === "string" ? `\n      ${about}` : ""}`;
  });
  return `Usage: toolcell call ${name} [name=value ...]\n\n${description}\n\n${lines.length === 0 ? "It takes no arguments." : `Arguments:\n${lines.join("\n")}`}`;
}
