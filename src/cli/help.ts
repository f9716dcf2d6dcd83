import { ENGINE_VERSION } from "../built/built.ts";

interface CommandHelp {
  readonly usage: string;
  readonly does: string;
  readonly more?: string;
}

const COMMANDS = {
  call: {
    usage: "call <tool> [json] [value] [--name value ...]\n  call <module> <action> [value] [--name value ...]",
    does: "Calls a tool once and prints its text",
    more:
      "The first required text stands by itself; every argument may be written --name value or name=value, a list by repetition, a boolean as\n" +
      "--name or --no-name, an object as JSON or --name.part value. A value @file stands for the file's text, - for stdin's; a lone - reads\n" +
      "all arguments from stdin as JSON. After -- no word is a flag of toolcell's. `toolcell call <tool> --help` lists a tool's arguments.",
  },
  tools: {
    usage: "tools [--as openai|anthropic|mcp|prompt]",
    does: "Lists every tool with its source",
    more: "--as prints what a model is given that calls them over that protocol: its definitions as JSON, or a prompt.",
  },
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
  write: {
    usage: "write <tool> [file] [--overwrite]",
    does: "Writes a tool of the agent's own (--agent), from a file or from stdin, once it would be taken",
  },
  share: { usage: "share <tool>", does: "Copies a tool of the agent's own to where every agent finds it" },
  completion: {
    usage: "completion bash|zsh|fish",
    does: "Prints what makes a shell complete commands, tools and their arguments",
    more: "bash, zsh: source <(toolcell completion bash); fish: toolcell completion fish | source.",
  },
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
  submit: {
    usage: "submit [--key K] <tool> [json] [value] [--name value ...]",
    does: "Puts a call into the queue and prints the id of its job",
    more:
      "Its arguments are those of `call`. The tool has to say `background_eligible` in its EXECUTION_PROFILE. A job that waits or runs is not\n" +
      "made a second time; with --key no job of that key ever is. --timeout is the whole time of the call. `toolcell work` runs it.",
  },
  work: {
    usage: "work [--once]",
    does: "Runs the jobs of the home, and goes on until it is interrupted",
    more:
      "--once ends when none waits. Several may run at once, also on one home. Each job runs in the workspace it was submitted for; --workspace\n" +
      "takes those of one alone. The first interrupt lets what runs end, a second gives it up. Prints each job as it ends, --json as JSON.",
  },
  jobs: {
    usage: "jobs [id] [--watch] [--cancel]",
    does: "Lists the jobs of the home, or shows one with what came of it",
    more: "--watch waits for its end and prints it as `call` does, or without an id each change. --cancel gives it up, also where it runs.",
  },
  doctor: { usage: "doctor", does: "Tries out what this machine can seal" },
} as const satisfies Record<string, CommandHelp>;

/** Each command, and what it does. */
export const COMMAND_NAMES: readonly (readonly [string, string])[] = Object.entries(COMMANDS).map(([name, { does }]) => [name, does]);

const FLAGS = `Flags:
  --capabilities DIR   a folder of capabilities, beside the shipped ones (repeatable)
  --workspace DIR      the folder that tools work on
  --agent DIR          the folder of an agent, for its own tools and its permissions.json
  --no-plugins         no packages of the project in this folder
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
