import { createInterface } from "node:readline/promises";
import { isJsonObject, type Json, type JsonObject } from "../catalogue/json.ts";
import { CLI } from "../catalogue/texts.ts";
import { createEngine } from "../engine/engine.ts";
import type { CapabilityEntry } from "../engine/listing.ts";
import { CommandFailure, engineOptions, UsageError, type CommandLine } from "./command-line.ts";
import { EXIT } from "./exit.ts";
import { report } from "./report.ts";

/** `toolcell grant <capability> [--yes]`: shows what it asks for, with its reasons, and asks about each. */
export async function grantCommand(line: CommandLine): Promise<number> {
  const isYes = line.words.includes("--yes");
  const [name, extra] = line.words.filter((word) => word !== "--yes");
  if (name === undefined || name.startsWith("-"))
    throw new UsageError(name === undefined ? CLI.missingWord("the capability") : CLI.unknownFlag(name));
  if (extra !== undefined) throw new UsageError(CLI.extraWord(extra));
  await using engine = await createEngine(engineOptions(line.flags));
  const entries = engine.capabilities();
  const entry =
    entries.find((capability) => capability.name === name) ?? entries.find(({ kind, source }) => kind === "package" && source === name);
  if (entry === undefined || entry.refused !== null)
    throw new CommandFailure("UNKNOWN_CAPABILITY", CLI.noCapability(name, entry?.refused ?? null));
  const items = itemsOf(entry.permissions ?? {});
  process.stderr.write(changesText(entry));
  if (items.length === 0 && entry.waiting === null) throw new CommandFailure("ASKS_NOTHING", CLI.asksNothing(name));
  if (!isYes && !process.stdin.isTTY) throw new UsageError(CLI.needsYes);
  const chosen = isYes ? items : await choose(items);
  if (isYes) for (const item of items) process.stderr.write(`${lineOf(item)}\n`);
  const permissions = merge(chosen);
  await engine.grant(name, permissions);
  const labels = chosen.map(({ label }) => label);
  report(line.flags, { capability: name, granted: permissions }, CLI.granted(name, labels));
  return EXIT.ok;
}

/** `toolcell revoke <capability>`: takes everything back. */
export async function revokeCommand(line: CommandLine): Promise<number> {
  const [name, extra] = line.words;
  if (name === undefined) throw new UsageError(CLI.missingWord("the capability"));
  if (extra !== undefined) throw new UsageError(CLI.extraWord(extra));
  await using engine = await createEngine(engineOptions(line.flags));
  await engine.revoke(name);
  report(line.flags, { capability: name, granted: {} }, CLI.revoked(name));
  return EXIT.ok;
}

/** One thing that is asked for, by itself. */
interface Item {
  readonly label: string;
  readonly reason: string | null;
  readonly part: JsonObject;
}

function itemsOf(permissions: JsonObject): readonly Item[] {
  const reasons = isJsonObject(permissions["reason"]) ? permissions["reason"] : {};
  return Object.entries(permissions)
    .filter(([name]) => name !== "reason")
    .flatMap(([name, value]) => {
      const reason = typeof reasons[name] === "string" ? reasons[name] : null;
      if (!Array.isArray(value))
        return value === false ? [] : [{ label: value === true ? name : `${name}: ${wordOf(value)}`, reason, part: { [name]: value } }];
      return (value as readonly Json[]).map((item) => ({ label: `${name}: ${itemLabel(item)}`, reason, part: { [name]: [item] } }));
    });
}

function itemLabel(item: Json): string {
  if (!isJsonObject(item)) return wordOf(item);
  const hosts = Array.isArray(item["hosts"]) ? (item["hosts"] as readonly Json[]).map(wordOf).join(", ") : "";
  return CLI.secretItem(wordOf(item["name"]), hosts, item["value"] === true);
}

function wordOf(value: Json | undefined): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

function merge(items: readonly Item[]): JsonObject {
  const merged: Record<string, Json> = {};
  for (const { part } of items) {
    for (const [name, value] of Object.entries(part)) {
      const before = merged[name];
      merged[name] =
        Array.isArray(value) && Array.isArray(before) ? [...(before as readonly Json[]), ...(value as readonly Json[])] : value;
    }
  }
  return merged;
}

async function choose(items: readonly Item[]): Promise<readonly Item[]> {
  const chosen: Item[] = [];
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  try {
    for (const item of items) {
      const answer = await terminal.question(`${lineOf(item)}\n    ${CLI.grantQuestion} `);
      if (/^y(?:es)?$/iu.test(answer.trim())) chosen.push(item);
    }
  } finally {
    terminal.close();
  }
  return chosen;
}

function lineOf({ label, reason }: Item): string {
  return reason === null ? label : `${label}\n    "${reason}"`;
}

function changesText({ waiting }: CapabilityEntry): string {
  if (waiting === null || waiting.changedTools.length === 0) return "";
  return `${CLI.toolsChanged(waiting.changedTools)}\n`;
}
