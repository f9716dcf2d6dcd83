import { CLI } from "../catalogue/texts.ts";
import { isJsonObject, type Json } from "../catalogue/json.ts";
import type { CapabilityEntry } from "../engine/listing.ts";
import type { Skipped } from "../registry/registry.ts";

export function firstLine(text: string): string {
  return text.trim().split("\n", 1)[0]?.trim() ?? "";
}

/** What was not taken, for a person: nothing where nothing was skipped. */
export function skippedText(skipped: readonly Skipped[]): string {
  if (skipped.length === 0) return "";
  return `${CLI.skippedHeading}\n${skipped.map(({ source, name, reason }) => `    ${source === name ? name : `${source}/${name}`}: ${reason}\n`).join("")}`;
}

/** One capability of the owner's pane. */
export function capabilityText(entry: CapabilityEntry): string {
  const { name, label, description, tools, tokens, permissions, broken, ignored, refused, kept, source, grants, waiting } = entry;
  const state = wordOf(entry);
  const lines = [`${state.padEnd(8)}${label} (${name})  [${source}]`];
  if (firstLine(description) !== "") lines.push(firstLine(description));
  if (refused !== null) lines.push(`${CLI.refusedLabel}: ${refused}`);
  else lines.push(`${CLI.toolsLabel} (${CLI.tokens(tokens)}): ${tools.map((tool) => tool.name).join(", ")}`);
  if (kept !== null) lines.push(`${CLI.keptLabel}: ${kept}`);
  if (permissions !== null) lines.push(`${CLI.permissionsLabel}: ${permissionsText(permissions)}`);
  if (Object.keys(grants).length > 0) lines.push(`${CLI.grantedLabel}: ${permissionsText(grants)}`);
  if (waiting !== null && Object.keys(waiting.asks).length > 0) lines.push(`${CLI.waitingLabel}: ${CLI.waitingAsks}`);
  if (waiting !== null && waiting.changedTools.length > 0) lines.push(`${CLI.waitingLabel}: ${CLI.waitingTools(waiting.changedTools)}`);
  for (const { file, line, reason } of broken) lines.push(`${CLI.brokenLabel} ${file}${line === null ? "" : `:${line}`}: ${reason}`);
  for (const { file, line, reason } of ignored) lines.push(`${CLI.ignoredLabel} ${file}${line === null ? "" : `:${line}`}: ${reason}`);
  return `${lines.map((text, index) => (index === 0 ? text : `        ${text}`)).join("\n")}\n`;
}

function wordOf({ refused, enabled, state }: CapabilityEntry): string {
  if (refused !== null) return "refused";
  if (!enabled) return "off";
  return state === "quarantined" ? "paused" : "on";
}

function permissionsText(permissions: Json): string {
  if (!isJsonObject(permissions)) return JSON.stringify(permissions);
  return Object.entries(permissions)
    .filter(([name]) => name !== "reason")
    .map(([name, value]) => (value === true ? name : `${name} ${JSON.stringify(value)}`))
    .join(", ");
}
