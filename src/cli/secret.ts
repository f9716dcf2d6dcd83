import { CLI } from "../catalogue/texts.ts";
import { createEngine } from "../engine/engine.ts";
import type { CapabilityEntry } from "../engine/listing.ts";
import { readOptions } from "../engine/options.ts";
import { toPermissions } from "../powers/permissions.ts";
import { PowerError } from "../powers/power.ts";
import { createVault, type SecretVault } from "../powers/secrets/vault.ts";
import { CommandFailure, engineOptions, UsageError, type CommandLine } from "./command-line.ts";
import { EXIT } from "./exit.ts";
import { readSecretValue } from "./secret-value.ts";

/** `toolcell secret set|list|remove NAME`: what is in the vault. A value is read from stdin or a prompt, and never shown. */
export async function secretCommand(line: CommandLine): Promise<number> {
  const [action, ...words] = line.words;
  const vault = createVault({ home: readOptions(engineOptions(line.flags)).home });
  try {
    switch (action) {
      case "set":
        return await set(vault, nameOf(words, true), line);
      case "remove":
        return await remove(vault, nameOf(words, false), line);
      case "list":
        if (words[0] !== undefined) throw new UsageError(CLI.extraWord(words[0]));
        return await list(vault, line);
      default:
        throw new UsageError(action === undefined ? CLI.missingWord(CLI.secretActions) : CLI.unknownSecretAction(action));
    }
  } catch (error) {
    throw error instanceof PowerError ? new CommandFailure(error.code, `${error.message}.`) : error;
  }
}

async function set(vault: SecretVault, name: string, { flags }: CommandLine): Promise<number> {
  const value = await readSecretValue(name);
  if (value === null) return EXIT.failed;
  await vault.set(name, value);
  tell(flags, { name, set: true }, CLI.secretSet(name));
  return EXIT.ok;
}

async function remove(vault: SecretVault, name: string, { flags }: CommandLine): Promise<number> {
  const existed = await vault.remove(name);
  if (!existed && !flags.json) process.stderr.write(`${CLI.noSecret(name)}\n`);
  else tell(flags, { name, removed: existed }, CLI.secretRemoved(name));
  return existed ? EXIT.ok : EXIT.failed;
}

async function list(vault: SecretVault, { flags }: CommandLine): Promise<number> {
  const names = await vault.list();
  await using engine = await createEngine(engineOptions(flags));
  const users = usersOf(engine.capabilities());
  const entries = names.map((name) => ({ name, usedBy: users.get(name) ?? [] }));
  if (flags.json) process.stdout.write(`${JSON.stringify(entries, null, 2)}\n`);
  else for (const { name, usedBy } of entries) process.stdout.write(`${name}  ${usersText(usedBy)}\n`);
  return EXIT.ok;
}

function tell({ json, quiet }: CommandLine["flags"], value: object, words: string): void {
  if (json) process.stdout.write(`${JSON.stringify(value, null, 2)}\n`);
  else if (!quiet) process.stderr.write(`${words}\n`);
}

interface User {
  readonly capability: string;
  readonly hosts: readonly string[];
  readonly granted: boolean;
}

/** Who asks for each secret. */
function usersOf(capabilities: readonly CapabilityEntry[]): ReadonlyMap<string, readonly User[]> {
  const users = new Map<string, User[]>();
  for (const { name: capability, permissions, grants } of capabilities) {
    const granted = toPermissions(grants).secrets;
    for (const { name, hosts } of toPermissions(permissions).secrets) {
      const user = { capability, hosts, granted: granted.some((secret) => secret.name === name) };
      users.set(name, [...(users.get(name) ?? []), user]);
    }
  }
  return users;
}

function usersText(users: readonly User[]): string {
  if (users.length === 0) return CLI.secretUnused;
  return users.map(({ capability, granted }) => (granted ? capability : CLI.secretNotGranted(capability))).join(", ");
}

// A value on the command line stands in the shell's history and in every list of processes.
function nameOf(words: readonly string[], takesValue: boolean): string {
  const [name, extra] = words;
  if (name === undefined) throw new UsageError(CLI.missingWord(CLI.secretName));
  if (takesValue && (extra !== undefined || name.includes("="))) throw new UsageError(CLI.secretArgument);
  if (name.startsWith("-")) throw new UsageError(CLI.unknownFlag(name));
  if (extra !== undefined) throw new UsageError(CLI.extraWord(extra));
  return name;
}
