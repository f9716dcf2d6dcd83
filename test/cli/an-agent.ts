import path from "node:path";
import { makeTempFolder, writeFiles, type Files, type TempFolder } from "../support/capabilities.ts";
import { runCommand, type CommandEnd, type CommandOptions } from "../support/command.ts";

export const MAY_CREATE = JSON.stringify({ version: 1, tool_creation: { personal: true, shared: true } });

export interface CommandAgent extends TempFolder {
  readonly home: string;
  readonly agent: string;
  /** Runs a command for that agent. */
  readonly run: (args: readonly string[], options?: CommandOptions) => Promise<CommandEnd>;
}

/** A folder with an agent in it, whose own tools are `tools`, and a home beside it. */
export function makeCommandAgent(tools: Files, permissions: string | null = MAY_CREATE): CommandAgent {
  const temp = makeTempFolder();
  const [home, agent] = [path.join(temp.path, "home"), path.join(temp.path, "agent")];
  writeFiles(agent, permissions === null ? { ".keep": "" } : { "permissions.json": permissions });
  writeFiles(path.join(agent, "tools"), tools);
  const env = { TOOLCELL_HOME: home, NO_COLOR: "1" };
  return {
    path: temp.path,
    home,
    agent,
    run: (args, options = {}) => runCommand(["--agent", agent, ...args], { cwd: temp.path, ...options, env: { ...env, ...options.env } }),
    [Symbol.dispose]: () => temp[Symbol.dispose](),
  };
}

/** A tool module that says what it was called with. */
export function echoModule(schemas: readonly object[], more = ""): string {
  return `export const getToolSchemas = () => (${JSON.stringify(schemas)});
export const dispatch = (name, args) => ({ name, args });
${more}`;
}
