import { isJsonObject, type Json, type JsonObject } from "../catalogue/json.ts";
import { coversHost, parseHostEntry } from "./host-entry.ts";

/** What a capability asks for, or has: the same form for both, every part there. */
export interface Permissions {
  readonly network: readonly string[];
  readonly workspace: Access;
  readonly home: Access;
  readonly storage: boolean;
  readonly secrets: readonly SecretPermission[];
  readonly process: readonly string[];
  readonly wasm: boolean;
}

export type Access = "none" | "read" | "write";

interface SecretPermission {
  readonly name: string;
  /** Hosts that the value may be sent to. */
  readonly hosts: readonly string[];
  /** Whether code gets the value itself, and not what stands for it. */
  readonly value?: boolean;
}

export const NO_PERMISSIONS: Permissions = {
  network: [],
  workspace: "none",
  home: "none",
  storage: false,
  secrets: [],
  process: [],
  wasm: false,
};

/** PERMISSIONS of a package, or a grant of the owner's, in their written form. What has not that form gives nothing. */
export function toPermissions(json: JsonObject | null): Permissions {
  if (json === null) return NO_PERMISSIONS;
  return {
    network: strings(json["network"]).filter((entry) => parseHostEntry(entry) !== null),
    workspace: access(json["workspace"]),
    home: access(json["home"]),
    storage: json["storage"] === true,
    secrets: secrets(json["secrets"]),
    process: strings(json["process"]),
    wasm: json["wasm"] === true,
  };
}

/** The written form, without what is not there. */
export function writePermissions(permissions: Permissions): JsonObject {
  const { network, workspace, home, storage, secrets: named, process, wasm } = permissions;
  return {
    ...(network.length > 0 ? { network } : {}),
    ...(workspace !== "none" ? { workspace } : {}),
    ...(home !== "none" ? { home } : {}),
    ...(storage ? { storage } : {}),
    ...(named.length > 0 ? { secrets: named.map(writeSecret) } : {}),
    ...(process.length > 0 ? { process } : {}),
    ...(wasm ? { wasm } : {}),
  };
}

/** What is both granted and asked for: a grant that outlives its asking gives nothing. */
export function withinAsked(granted: Permissions, asked: Permissions): Permissions {
  return {
    network: granted.network.filter((entry) => isCovered(entry, asked.network)),
    workspace: lesser(granted.workspace, asked.workspace),
    home: lesser(granted.home, asked.home),
    storage: granted.storage && asked.storage,
    secrets: granted.secrets.flatMap((secret) => narrowed(secret, asked.secrets)),
    process: granted.process.filter((name) => asked.process.includes(name)),
    wasm: granted.wasm && asked.wasm,
  };
}

/** Whether `permissions` gives nothing that `bound` does not. */
export function isWithin(permissions: Permissions, bound: Permissions): boolean {
  return JSON.stringify(writePermissions(withinAsked(permissions, bound))) === JSON.stringify(writePermissions(permissions));
}

/** The one that gives what either gives. */
export function joined(a: Permissions, b: Permissions): Permissions {
  return {
    network: [...new Set([...a.network, ...b.network])],
    workspace: greater(a.workspace, b.workspace),
    home: greater(a.home, b.home),
    storage: a.storage || b.storage,
    secrets: [...a.secrets, ...b.secrets],
    process: [...new Set([...a.process, ...b.process])],
    wasm: a.wasm || b.wasm,
  };
}

const ORDER: readonly Access[] = ["none", "read", "write"];

function lesser(a: Access, b: Access): Access {
  return ORDER.indexOf(a) < ORDER.indexOf(b) ? a : b;
}

function greater(a: Access, b: Access): Access {
  return ORDER.indexOf(a) > ORDER.indexOf(b) ? a : b;
}

function isCovered(entry: string, wide: readonly string[]): boolean {
  const narrow = parseHostEntry(entry);
  return (
    narrow !== null &&
    wide.some((text) => {
      const candidate = parseHostEntry(text);
      return candidate !== null && coversHost(candidate, narrow);
    })
  );
}

function narrowed(granted: SecretPermission, asked: readonly SecretPermission[]): readonly SecretPermission[] {
  const same = asked.filter(({ name }) => name === granted.name);
  const hosts = granted.hosts.filter((host) => same.some((secret) => isCovered(host, secret.hosts)));
  const isValue = granted.value === true && same.some((secret) => secret.value === true);
  return hosts.length > 0 || isValue ? [toSecret(granted.name, hosts, isValue)] : [];
}

function toSecret(name: string, hosts: readonly string[], isValue: boolean): SecretPermission {
  return isValue ? { name, hosts, value: true } : { name, hosts };
}

function writeSecret({ name, hosts, value }: SecretPermission): JsonObject {
  return value === true ? { name, hosts, value } : { name, hosts };
}

function access(value: Json | undefined): Access {
  return value === "read" || value === "write" ? value : "none";
}

function strings(value: Json | undefined): readonly string[] {
  return Array.isArray(value) ? (value as readonly Json[]).filter((item) => typeof item === "string") : [];
}

function secrets(value: Json | undefined): readonly SecretPermission[] {
  if (!Array.isArray(value)) return [];
  return (value as readonly Json[]).flatMap((item) => {
    if (!isJsonObject(item) || typeof item["name"] !== "string") return [];
    const hosts = strings(item["hosts"]).filter((entry) => parseHostEntry(entry) !== null && entry !== "public");
    const isValue = item["value"] === true;
    return hosts.length > 0 || isValue ? [toSecret(item["name"], hosts, isValue)] : [];
  });
}
