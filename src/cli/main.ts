import { ENGINE_VERSION } from "../built/built.ts";
import { CLI } from "../catalogue/texts.ts";
import { benchCommand } from "./bench.ts";
import { callCommand } from "./call.ts";
import { capabilitiesCommand } from "./capabilities.ts";
import { checkCommand } from "./check.ts";
import { completionCommand } from "./completion.ts";
import { doctorCommand } from "./doctor.ts";
import { grantCommand, revokeCommand } from "./grant.ts";
import { EXIT } from "./exit.ts";
import { faultOf } from "./command-fault.ts";
import { HELP, helpOf } from "./help.ts";
import { jobsCommand } from "./jobs.ts";
import { newCommand } from "./new.ts";
import { refreshCommand } from "./refresh.ts";
import { shareCommand, writeCommand } from "./tool-creation.ts";
import { disableCommand, enableCommand, trustCommand, untrustCommand } from "./switch.ts";
import { watchCommand } from "./watch.ts";
import { readCommandLine, UsageError, type CommandLine } from "./command-line.ts";
import { secretCommand } from "./secret.ts";
import { submitCommand } from "./submit.ts";
import { testCommand } from "./test.ts";
import { toolsCommand } from "./tools.ts";
import { workCommand } from "./work.ts";

/** Runs one command line and resolves with its exit code. Results go to stdout, everything else to stderr. */
export async function main(argv: readonly string[]): Promise<number> {
  const isJson = asksForJson(argv);
  // Whoever reads the output may have enough before its end, as `head` has: the rest is nobody's.
  for (const stream of [process.stdout, process.stderr]) stream.on("error", dropUnread);
  try {
    const line = readCommandLine(argv);
    if (line.flags.version) return print(ENGINE_VERSION);
    if (line.command === null) return line.flags.help ? print(HELP) : fail(HELP);
    if (line.flags.help && line.command !== "call") return print(helpOf(line.command));
    return await run(line.command, line);
  } catch (error) {
    const fault = faultOf(error);
    if (fault === null) throw error;
    if (isJson) process.stdout.write(`${JSON.stringify({ error: { code: fault.code, message: fault.message } }, null, 2)}\n`);
    else process.stderr.write(`${fault.text}\n${fault.exit === EXIT.usage ? `${CLI.seeHelp}\n` : ""}`);
    return fault.exit;
  }
}

// A command line that cannot be read says all the same how its errors are wanted.
function asksForJson(argv: readonly string[]): boolean {
  const end = argv.indexOf("--");
  return argv.slice(0, end < 0 ? argv.length : end).includes("--json");
}

function run(command: string, line: CommandLine): Promise<number> | number {
  switch (command) {
    case "call":
      return callCommand(line);
    case "tools":
      return toolsCommand(line);
    case "capabilities":
      return capabilitiesCommand(line);
    case "check":
      return checkCommand(line);
    case "test":
      return testCommand(line);
    case "bench":
      return benchCommand(line);
    case "new":
      return newCommand(line);
    case "grant":
      return grantCommand(line);
    case "revoke":
      return revokeCommand(line);
    case "enable":
      return enableCommand(line);
    case "disable":
      return disableCommand(line);
    case "trust":
      return trustCommand(line);
    case "untrust":
      return untrustCommand(line);
    case "refresh":
      return refreshCommand(line);
    case "write":
      return writeCommand(line);
    case "share":
      return shareCommand(line);
    case "completion":
      return completionCommand(line);
    case "watch":
      return watchCommand(line);
    case "submit":
      return submitCommand(line);
    case "work":
      return workCommand(line);
    case "jobs":
      return jobsCommand(line);
    case "doctor":
      return doctorCommand(line);
    case "secret":
      return secretCommand(line);
    case "help":
      return print(HELP);
    default:
      throw new UsageError(CLI.unknownCommand(command));
  }
}

function dropUnread(error: NodeJS.ErrnoException): void {
  if (error.code !== "EPIPE") throw error;
}

function print(text: string): number {
  process.stdout.write(`${text}\n`);
  return EXIT.ok;
}

function fail(text: string): number {
  process.stderr.write(`${text}\n`);
  return EXIT.usage;
}
