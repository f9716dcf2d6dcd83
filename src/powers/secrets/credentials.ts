import { join } from "node:path";
import type { JsonObject } from "../../catalogue/json.ts";
import { CREDENTIALS } from "../../catalogue/texts.ts";
import { denied, PowerError } from "../power.ts";
import { objectOf, PlaceFault, readJsonFile, stampOf, textOf } from "./credential-files.ts";
import { isSecretName, VAULT_LIMITS } from "./vault-format.ts";
import type { SecretVault } from "./vault.ts";

/** What a tool asks for. Checked, and all the same a stranger's. */
export interface CredentialRequest {
  readonly credential: string;
  readonly tool: string;
  readonly key: string;
  readonly envVar: string | null;
}

/** A credential that was found, and by which granted names. */
export interface FoundCredential {
  readonly value: string;
  readonly names: readonly string[];
  /** Names the place for the owner. */
  readonly place: string;
  /** Whether the place still says the same. */
  readonly isCurrent: () => boolean;
}

/** One place, in its order. */
interface Place {
  readonly shown: string;
  /** Names that open it, where one of them is granted. */
  readonly names: readonly string[];
  read(): string | null | Promise<string | null>;
  stamp(): string;
}

const NAME = /^[A-Za-z0-9_][A-Za-z0-9_.-]{0,63}$/u;
// A shorter value could not be taken out of a text without taking the text with it.
const VALUE_CHARS = 4;
/** What a guest makes a ToolConfigError of. */
const NOT_CONFIGURED = "NOT_CONFIGURED";

/** Throws PowerError for what has not the form of a request. */
export function readCredentialRequest(args: JsonObject): CredentialRequest {
  const { credentialName, toolName, keyName, envVar = null } = args;
  const named = [
    ["credentialName", credentialName],
    ["toolName", toolName],
    ["keyName", keyName],
  ] as const;
  for (const [name, value] of named)
    if (typeof value !== "string" || !NAME.test(value)) throw new PowerError("EINVAL", CREDENTIALS.malformed(name));
  if (envVar !== null && !isSecretName(envVar)) throw new PowerError("EINVAL", CREDENTIALS.envName);
  return { credential: credentialName as string, tool: toolName as string, key: keyName as string, envVar };
}

/**
 * The first value of the places, in their order; an empty one falls through, and a place that cannot be read ends the search.
 * Rejects with PowerError: `PERMISSION_DENIED` where nothing of it is granted, `NOT_CONFIGURED` naming every place.
 */
export async function findCredential(
  request: CredentialRequest,
  { home, vault, isGranted }: { readonly home: string; readonly vault: SecretVault; readonly isGranted: (name: string) => boolean },
): Promise<FoundCredential> {
  const { credential, tool, key, envVar } = request;
  const places = placesOf(request, home, vault);
  const opened = places.map(({ names }) => names.filter((name) => isGranted(name)));
  if (opened.every((names) => names.length === 0)) throw denied(CREDENTIALS.denied(credential, envVar));
  for (const [index, place] of places.entries()) {
    const names = opened[index] ?? [];
    if (names.length === 0) continue;
    const stamp = place.stamp();
    const value = await readPlace(place, request);
    if (value !== null) return { value, names, place: place.shown, isCurrent: () => place.stamp() === stamp };
  }
  const told = places.map(({ shown }, index) => (opened[index]?.length === 0 ? CREDENTIALS.notGranted(shown) : shown));
  const remedy = CREDENTIALS.remedy(credential, key, envVar ?? variableOf(credential), envVar);
  throw new PowerError(NOT_CONFIGURED, CREDENTIALS.missing(tool, credential, key, told, remedy));
}

function placesOf({ credential, key, envVar }: CredentialRequest, home: string, vault: SecretVault): readonly Place[] {
  const own = variableOf(credential);
  const config = join(home, "config.json");
  const shared = join(home, "shared", "credentials.json");
  const ofCredential = envVar !== null && isNameOfKey(envVar, credential, key) ? [own, envVar] : [own];
  const inConfig = {
    shown: CREDENTIALS.inConfig(credential, key),
    names: ofCredential,
    read: () => readConfig(readJsonFile(config, "<home>/config.json"), credential, key),
    stamp: () => stampOf(config),
  };
  if (envVar === null) return [inConfig, inVault(own, [own], vault)];
  const ofVariable = isNameWithin(envVar, credential) ? [envVar, own] : [envVar];
  return [
    inConfig,
    inVault(envVar, ofVariable, vault),
    ...(own === envVar ? [] : [inVault(own, ofCredential, vault)]),
    {
      shown: CREDENTIALS.inShared(envVar),
      names: ofVariable,
      read: () => textOf(readJsonFile(shared, "<home>/shared/credentials.json"), envVar, CREDENTIALS.inShared(envVar)),
      stamp: () => stampOf(shared),
    },
    {
      shown: CREDENTIALS.inEnvironment(envVar),
      names: ofVariable,
      read: () => textOf(process.env as JsonObject, envVar, CREDENTIALS.inEnvironment(envVar)),
      stamp: () => process.env[envVar] ?? "",
    },
  ];
}

function inVault(name: string, names: readonly string[], vault: SecretVault): Place {
  return { shown: CREDENTIALS.inVault(name), names, read: () => (isSecretName(name) ? vault.get(name) : null), stamp: () => vault.stamp() };
}

function readConfig(config: JsonObject, credential: string, key: string): string | null {
  const entry = objectOf(
    objectOf(config, "credentials", "`credentials` in <home>/config.json"),
    credential,
    CREDENTIALS.inConfig(credential, "*"),
  );
  const shown = CREDENTIALS.inConfig(credential, key);
  const direct = key === "keys" ? null : textOf(entry, key, shown);
  return direct ?? textOf(objectOf(entry, "keys", CREDENTIALS.inConfig(credential, "keys")), key, shown);
}

async function readPlace(place: Place, { tool, credential }: CredentialRequest): Promise<string | null> {
  try {
    const value = await place.read();
    if (value !== null) assertValue(value, place.shown);
    return value;
  } catch (error) {
    if (!(error instanceof PlaceFault) && !(error instanceof PowerError)) throw error;
    throw new PowerError(NOT_CONFIGURED, CREDENTIALS.unreadable(tool, credential, error.message));
  }
}

function assertValue(value: string, shown: string): void {
  if (!value.isWellFormed() || value.includes("\0") || Buffer.byteLength(value) > VAULT_LIMITS.valueBytes)
    throw new PlaceFault(CREDENTIALS.noControl(shown));
  if (Array.from(value.trim()).length < VALUE_CHARS) throw new PlaceFault(CREDENTIALS.short(shown, VALUE_CHARS));
}

/** A credential's name as a grant writes it. */
function variableOf(credential: string): string {
  return credential.replaceAll(/[.-]/gu, "_");
}

/** `MYAPI_KEY` is of `myapi`, whatever it says of it. */
function isNameWithin(envVar: string, credential: string): boolean {
  const [variable, own] = [envVar.toUpperCase(), variableOf(credential).toUpperCase()];
  return variable === own || variable.startsWith(`${own}_`);
}

/** Whether a variable is called after this very key of the credential: `MYAPI_KEY` after its `api_key`, `MYAPI_SECRET` after its `secret`. */
function isNameOfKey(envVar: string, credential: string, key: string): boolean {
  const own = variableOf(credential).toUpperCase();
  const ofKey = [`${own}_${variableOf(key).toUpperCase()}`, ...(key === "api_key" ? [own, `${own}_KEY`, `${own}_TOKEN`] : [])];
  return ofKey.includes(envVar.toUpperCase());
}
