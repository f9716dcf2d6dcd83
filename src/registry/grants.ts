import { createHash } from "node:crypto";
import { findPermissionFault } from "../admission/permissions.ts";
import type { CapabilityRecord } from "../admission/record.ts";
import { GrantError } from "../catalogue/faults.ts";
import type { JsonObject } from "../catalogue/json.ts";
import { GRANTS } from "../catalogue/texts.ts";
import { isWithin, joined, NO_PERMISSIONS, toPermissions, withinAsked, writePermissions, type Permissions } from "../powers/permissions.ts";
import { grantsFile, type GrantEntries, type GrantEntry, type Seen } from "./grants-file.ts";
import type { HomeFile } from "./home-file.ts";

/** What the owner has not seen yet of a capability that was granted something, or asks for the first time. */
export interface Waiting {
  /** What it asks for and has not. */
  readonly asks: JsonObject;
  /** Tools that are new, gone, or say something else of themselves than when the owner looked. */
  readonly changedTools: readonly string[];
  readonly codeChanged: boolean;
}

/** What an embedder's policy is asked, once for each capability that asks for something. */
export interface GrantRequest {
  readonly capability: string;
  readonly permissions: JsonObject;
  readonly isShipped: boolean;
  /** Where it is from, as listings show it: of a tool module its tier. */
  readonly source: string;
}

/** True for all that is asked, false for nothing, or the part that is given. */
export type GrantPolicy = (request: GrantRequest) => boolean | JsonObject | Promise<boolean | JsonObject>;

/** Who may do what: the owner's grants in the home, and what an embedder's policy adds. Nothing is given by default. */
export class Grants {
  readonly #file: HomeFile<GrantEntries>;
  readonly #byPolicy = new Map<string, Permissions>();
  readonly #revoked = new Set<string>();

  constructor(home: string) {
    this.#file = grantsFile(home);
  }

  /** Why the owner's grants are not in force, or null. */
  fault(): string | null {
    return this.#file.fault();
  }

  /** What a capability has now: looked up at each use. Never more than it asks for. */
  permissionsOf(record: CapabilityRecord): Permissions {
    const entry = this.#file.read().get(record.grantedAs);
    const granted = entry === undefined ? NO_PERMISSIONS : toPermissions(entry.permissions);
    return withinAsked(joined(granted, this.#byPolicy.get(record.grantedAs) ?? NO_PERMISSIONS), toPermissions(record.permissions));
  }

  /** What the owner should look at, or null. The capability runs meanwhile with what it has. */
  waitingOf(record: CapabilityRecord): Waiting | null {
    const asked = toPermissions(record.permissions);
    const entry = this.#file.read().get(record.grantedAs);
    if (entry === undefined) {
      if (isWithin(asked, this.permissionsOf(record))) return null;
      return { asks: writePermissions(asked), changedTools: [], codeChanged: false };
    }
    const now = seenOf(record);
    const changedTools = changedBetween(entry.seen, now);
    const asksMore = !isWithin(asked, toPermissions(entry.seen.asks));
    if (changedTools.length === 0 && !asksMore) return null;
    return { asks: asksMore ? writePermissions(asked) : {}, changedTools, codeChanged: entry.seen.code !== now.code };
  }

  /** Gives what is named, or all that is asked; what it had before is replaced. Throws GrantError. */
  async grant(record: CapabilityRecord, permissions: JsonObject | null): Promise<void> {
    const asked = toPermissions(record.permissions);
    const given = permissions === null ? asked : readGrant(record.name, permissions, asked);
    const entry: GrantEntry = { permissions: writePermissions(given), seen: seenOf(record) };
    await this.#file.update((entries) => new Map(entries).set(record.grantedAs, entry));
    this.#revoked.delete(record.grantedAs);
  }

  /** Takes everything back; it holds from the next operation, in running cells too. Throws GrantError. */
  async revoke({ grantedAs }: CapabilityRecord): Promise<void> {
    this.#byPolicy.delete(grantedAs);
    this.#revoked.add(grantedAs);
    await this.#file.update((entries) => new Map([...entries].filter(([granted]) => granted !== grantedAs)));
  }

  /** Asks an embedder's policy about every capability that asks for something. Where it throws, nothing is given. */
  async consult(
    policy: GrantPolicy,
    capabilities: readonly { readonly record: CapabilityRecord; readonly isShipped: boolean; readonly source: string }[],
    onFault: (capability: string, error: unknown) => void,
  ): Promise<void> {
    for (const { record, isShipped, source } of capabilities) {
      this.#byPolicy.delete(record.grantedAs);
      if (record.permissions === null || this.#revoked.has(record.grantedAs)) continue;
      const asked = toPermissions(record.permissions);
      try {
        const answer = await policy({ capability: record.name, permissions: record.permissions, isShipped, source });
        const given = answer === true ? asked : answer === false ? NO_PERMISSIONS : readGrant(record.name, answer, asked);
        this.#byPolicy.set(record.grantedAs, given);
      } catch (error) {
        onFault(record.name, error);
      }
    }
  }
}

function readGrant(name: string, permissions: JsonObject, asked: Permissions): Permissions {
  const fault = findPermissionFault(permissions);
  if (fault !== null) throw new GrantError("INVALID_PERMISSION", fault);
  const given = toPermissions(permissions);
  if (!isWithin(given, asked)) throw new GrantError("NOT_ASKED", GRANTS.notAsked(name));
  return given;
}

function seenOf(record: CapabilityRecord): Seen {
  const says = record.tools.map(({ name, description, inputSchema }): [string, string] => [name, hashOf([description, inputSchema])]);
  return { code: record.bundleHash ?? "", says: Object.fromEntries(says), asks: record.permissions ?? {} };
}

function changedBetween(before: Seen, now: Seen): readonly string[] {
  const names = new Set([...Object.keys(before.says), ...Object.keys(now.says)]);
  return [...names].filter((name) => before.says[name] !== now.says[name]).sort();
}

function hashOf(value: unknown): string {
  return createHash("sha256").update(JSON.stringify(value)).digest("hex");
}
