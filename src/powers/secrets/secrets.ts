import { createHmac, randomBytes } from "node:crypto";
import type { Json, JsonObject } from "../../catalogue/json.ts";
import { POWER, SECRETS } from "../../catalogue/texts.ts";
import { matchesHost, parseHostEntry } from "../host-entry.ts";
import type { SecretInjector, SecretTarget } from "../network/secret-injector.ts";
import type { Permissions } from "../permissions.ts";
import { denied, PowerError, type Power, type PowerUse } from "../power.ts";
import { findCredential, readCredentialRequest } from "./credentials.ts";
import { formsOf, type Form } from "./forms.ts";
import { createStreamMask, maskJson, maskText } from "./mask.ts";
import { isSecretName } from "./vault-format.ts";
import type { SecretVault } from "./vault.ts";

/** The power, and what the host does with the stand-ins that it gives out. */
export interface Secrets extends Power, SecretInjector {
  /** As `maskText`, for every string in a value. */
  maskJson(capability: string, value: Json): Json;
  readonly owner: SecretOwner;
}

/** What an owner does with the vault: `engine.secrets`. No value comes back. */
export interface SecretOwner {
  /** Keeps a value under a name, in place of the one before. Rejects for a name or a value that cannot be kept, and for a damaged vault. */
  set(name: string, value: string): Promise<void>;
  /** The names, sorted. */
  list(): Promise<readonly string[]>;
  /** False where there was none. */
  remove(name: string): Promise<boolean>;
}

/** What a stand-in stands for. */
interface Given {
  readonly capability: string;
  /** As its owner reads it. */
  readonly name: string;
  /** Names whose grants say where it may be sent. */
  readonly names: readonly string[];
  readonly value: string;
  readonly isCurrent: () => boolean;
}

const STAND_IN = /toolcell-secret-[0-9a-f]{32}/gu;
const STAND_IN_ONCE = /toolcell-secret-[0-9a-f]{32}/u;
const BASIC = /\b(Basic )([A-Za-z0-9+/]{8,}={0,2})/giu;

/**
 * Gives a guest a stand-in for a secret that it may use, and puts the value in its place on its way to a host that the owner
 * has named. A stand-in is one capability's, in one engine, and cannot be guessed; the value never enters a cell.
 */
export function createSecrets(vault: SecretVault, home: string): Secrets {
  const nonce = randomBytes(32);
  const given = new Map<string, Given>();
  const known = new Map<string, Map<string, readonly Form[]>>();
  const flat = new Map<string, readonly Form[]>();

  async function get(name: string, use: PowerUse): Promise<string> {
    const { capability, permissions } = use;
    if (!isSecretName(name)) throw new PowerError("EINVAL", SECRETS.name);
    if (!isGranted(name, permissions)) throw denied(SECRETS.denied(name));
    const effect = use.effect(name, false);
    try {
      const stamp = vault.stamp();
      const value = await vault.get(name);
      if (value === null) throw new PowerError("ENOENT", SECRETS.missing(name));
      await learnOthers(name, use);
      effect.done();
      return give([capability, name], { capability, name, names: [name], value, isCurrent: () => vault.stamp() === stamp });
    } catch (error) {
      effect.refused();
      throw error;
    }
  }

  /** A credential of the tool's, from the first place that has it: what stands for it, or the value where the grant says so. */
  async function credential(args: JsonObject, use: PowerUse): Promise<string> {
    const { capability, permissions } = use;
    const request = readCredentialRequest(args);
    const effect = use.effect(request.credential, false);
    try {
      const found = await findCredential(request, { home, vault, isGranted: (name) => isGranted(name, permissions) });
      const { value, names, isCurrent } = found;
      await learnOthers("", use);
      const standIn = give([capability, names, found.place], { capability, name: request.credential, names, value, isCurrent });
      effect.done();
      return permissions.secrets.some((secret) => secret.value === true && names.includes(secret.name)) ? value : standIn;
    } catch (error) {
      effect.refused();
      throw error;
    }
  }

  // The same each time, so that code which asks again goes on with what it has.
  function give(identity: readonly unknown[], secret: Given): string {
    learn(secret.capability, secret.name, secret.value);
    const digest = createHmac("sha256", nonce).update(JSON.stringify(identity)).digest("hex");
    const standIn = `toolcell-secret-${digest.slice(0, 32)}`;
    given.set(standIn, secret);
    return standIn;
  }

  // What else it is granted may come back from a server too.
  async function learnOthers(name: string, { capability, permissions }: PowerUse): Promise<void> {
    for (const other of new Set(permissions.secrets.map((secret) => secret.name))) {
      if (other === name) continue;
      const value = await vault.get(other).catch(() => null);
      if (value !== null) learn(capability, other, value);
    }
  }

  // A value that was replaced stays known: what the capability was answered with it may still turn up.
  function learn(capability: string, name: string, value: string): void {
    const values = known.get(capability) ?? new Map<string, readonly Form[]>();
    if (values.has(value)) return;
    known.set(capability, values.set(value, formsOf(name, value)));
    flat.set(capability, [...values.values()].flat());
  }

  function formsFor(capability: string): readonly Form[] {
    return flat.get(capability) ?? [];
  }

  function valueOf(standIn: string, target: SecretTarget): string {
    const secret = given.get(standIn);
    // A vault that was written since may not hold it any more: it is asked for again.
    if (secret === undefined || secret.capability !== target.capability || !secret.isCurrent()) throw denied(SECRETS.stale);
    if (!secret.names.some((name) => isGranted(name, target.permissions))) throw denied(SECRETS.denied(secret.name));
    if (!secret.names.some((name) => isGrantedFor(name, target))) throw denied(SECRETS.host(secret.name, target.host));
    return secret.value;
  }

  function inject(text: string, target: SecretTarget): string {
    // A name and a password are encoded before they get here. What they are besides stays as it is, byte for byte.
    const withBasic = text.replace(BASIC, (whole, scheme: string, encoded: string) => {
      const decoded = Buffer.from(encoded, "base64").toString("latin1");
      if (!STAND_IN_ONCE.test(decoded)) return whole;
      const put = decoded.replace(STAND_IN, (standIn) => Buffer.from(valueOf(standIn, target)).toString("latin1"));
      return scheme + Buffer.from(put, "latin1").toString("base64");
    });
    return withBasic.replace(STAND_IN, (standIn) => valueOf(standIn, target));
  }

  return {
    perform: async ({ op, args }, use) => {
      if (op === "credential") return { value: await credential(args, use) };
      if (op !== "get") throw new PowerError("POWER_FAILED", POWER.unknownOp(op.slice(0, 40)));
      const { name } = args;
      if (typeof name !== "string") throw new PowerError("EINVAL", POWER.malformed("name"));
      return { value: await get(name, use) };
    },
    inject,
    createMask: (capability) => createStreamMask(() => formsFor(capability)),
    maskText: (capability, text) => maskText(text, formsFor(capability)),
    maskJson: (capability, value) => maskJson(value, formsFor(capability)),
    owner: {
      set: (name, value) => vault.set(name, value),
      list: () => vault.list(),
      remove: async (name) => {
        for (const [standIn, secret] of given) if (secret.names.includes(name)) given.delete(standIn);
        return await vault.remove(name);
      },
    },
    [Symbol.asyncDispose]: () => {
      given.clear();
      return Promise.resolve();
    },
  };
}

function isGranted(name: string, { secrets }: Permissions): boolean {
  return secrets.some((secret) => secret.name === name);
}

function isGrantedFor(name: string, { host, port, isDefaultPort, permissions }: SecretTarget): boolean {
  return permissions.secrets.some(
    (secret) =>
      secret.name === name &&
      secret.hosts.some((text) => {
        const entry = parseHostEntry(text);
        return entry !== null && entry.kind !== "public" && matchesHost(entry, host, port, isDefaultPort);
      }),
  );
}
