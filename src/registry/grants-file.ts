import { isJsonObject, type JsonObject } from "../catalogue/json.ts";
import { GRANTS } from "../catalogue/texts.ts";
import { HomeFile } from "./home-file.ts";

/** What the owner gave a capability, and what it was when the owner looked at it. */
export interface GrantEntry {
  readonly permissions: JsonObject;
  readonly seen: Seen;
}

export interface Seen {
  /** SHA-256 of the code that a cell loads. */
  readonly code: string;
  /** SHA-256 of what each tool says of itself, by the tool's name. */
  readonly says: { readonly [tool: string]: string };
  readonly asks: JsonObject;
}

export type GrantEntries = ReadonlyMap<string, GrantEntry>;

const VERSION = 1;

/** `<home>/grants.json`: nothing at all is granted where it is damaged. */
export function grantsFile(home: string): HomeFile<GrantEntries> {
  return new HomeFile<GrantEntries>(home, {
    name: "grants.json",
    none: new Map(),
    damaged: new Map(),
    parse: parseEntries,
    format: (entries) => ({ version: VERSION, grants: Object.fromEntries(entries) as unknown as JsonObject }),
    codes: { damaged: "GRANTS_DAMAGED", busy: "GRANTS_BUSY" },
  });
}

function parseEntries(file: unknown): GrantEntries {
  if (!isJsonObject(file) || file["version"] !== VERSION || !isJsonObject(file["grants"])) throw new Error(GRANTS.badForm);
  return new Map(Object.entries(file["grants"]).map(([name, entry]) => [name, parseEntry(entry)]));
}

function parseEntry(entry: unknown): GrantEntry {
  if (!isJsonObject(entry) || !isJsonObject(entry["permissions"]) || !isJsonObject(entry["seen"])) throw new Error(GRANTS.badForm);
  const { code, says, asks } = entry["seen"];
  if (typeof code !== "string" || !isJsonObject(says) || !isJsonObject(asks)) throw new Error(GRANTS.badForm);
  const hashes = Object.entries(says);
  if (!hashes.every((pair): pair is [string, string] => typeof pair[1] === "string")) throw new Error(GRANTS.badForm);
  return { permissions: entry["permissions"], seen: { code, says: Object.fromEntries(hashes), asks } };
}
