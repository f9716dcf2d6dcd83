import { createHmac, randomBytes } from "node:crypto";
import type { Json } from "../../catalogue/json.ts";
import { POWER, SECRETS } from "../../catalogue/texts.ts";
import { matchesHost, parseHostEntry } from "../host-entry.ts";
import type { SecretInjector, SecretTarget } from "../network/secret-injector.ts";
import type { Permissions } from "../permissions.ts";
import { denied, PowerError, type Power, type PowerUse } from "../power.ts";
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

const STAND_IN = /toolcell-secret-[0-9a-f]{32}/gu;
const STAND_IN_ONCE = /toolcell-secret-[0-9a-f]{32}/u;
const BASIC = /\b(Basic )([A-Za-z0-9+/]{8,}={0,2})/giu;

/**
 * Gives a guest a stand-in for a secret that it may use, and puts the value in its place on its way to a host that the owner
 * has named. A stand-in is one capability's, in one engine, and cannot be guessed; the value never enters a cell.
 */
export function createSecrets(vault: SecretVault): Secrets {
  const nonce = randomBytes(32);
  const given = new Map<string, { readonly capability: string; readonly name: string; readonly value: string; readonly stamp: string }>();
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
      learn(capability, name, value);
      const standIn = `toolcell-secret-${createHmac("sha256", nonce)
        .update(JSON.stringify([capability, name]))
        .digest("hex")
        .slice(0, 32)}`;
      given.set(standIn, { capability, name, value, stamp });
      effect.done();
      return standIn;
    } catch (error) {
      effect.refused();
      throw error;
    }
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
    if (secret === undefined || secret.capability !== target.capability || secret.stamp !== vault.stamp()) throw denied(SECRETS.stale);
    if (!isGranted(secret.name, target.permissions)) throw denied(SECRETS.denied(secret.name));
    if (!isGrantedFor(secret.name, target)) throw denied(SECRETS.host(secret.name, target.host));
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
    perform: async ({ op, args: { name } }, use) => {
      if (op !== "get") throw new PowerError("POWER_FAILED", POWER.unknownOp(op.slice(0, 40)));
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
        for (const [standIn, secret] of given) if (secret.name === name) given.delete(standIn);
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
