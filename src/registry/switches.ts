import type { CapabilityRecord } from "../admission/record.ts";
import { GrantError } from "../catalogue/faults.ts";
import { isJsonObject } from "../catalogue/json.ts";
import { GRANTS, SWITCHES } from "../catalogue/texts.ts";
import { HomeFile } from "./home-file.ts";
import type { Decided } from "./decisions.ts";

/** What the owner has switched off, and whose code is trusted with all of the machine. */
interface Decisions {
  readonly disabled: ReadonlySet<string>;
  /** By capability, the SHA-256 of the code that is trusted. */
  readonly trusted: ReadonlyMap<string, string>;
  /** True where nobody knows what is switched off. */
  readonly isUnknown: boolean;
}

const VERSION = 1;
const NONE: Decisions = { disabled: new Set(), trusted: new Map(), isUnknown: false };

/**
 * `<home>/switches.json`: a capability that is not named there is enabled and not trusted. Where the file is damaged only
 * what is required is enabled, and nothing is trusted.
 */
export class Switches {
  readonly #file: HomeFile<Decisions>;

  constructor(home: string) {
    this.#file = new HomeFile<Decisions>(home, {
      name: "switches.json",
      none: NONE,
      damaged: { ...NONE, isUnknown: true },
      parse: parseDecisions,
      format: ({ disabled, trusted }) => ({ version: VERSION, disabled: [...disabled].sort(), trusted: Object.fromEntries(trusted) }),
      codes: { damaged: "SWITCHES_DAMAGED", busy: "SWITCHES_BUSY" },
    });
  }

  /** The same object for as long as nothing has changed. */
  get state(): unknown {
    return this.#file.read();
  }

  /** Why only what is required is enabled, or null. */
  fault(): string | null {
    return this.#file.fault();
  }

  /** What is decided now, which stays what it is, whatever is decided later. */
  decided(): Pick<Decided, "isEnabled" | "isTrusted"> {
    const { disabled, trusted, isUnknown } = this.#file.read();
    return {
      isEnabled: ({ name, required }) => required || (!isUnknown && !disabled.has(name)),
      isTrusted: ({ name, bundleHash }) => bundleHash !== null && trusted.get(name) === bundleHash,
    };
  }

  /** Throws GrantError for a capability that has no switch. */
  async set({ name, required }: Pick<CapabilityRecord, "name" | "required">, isEnabled: boolean): Promise<void> {
    if (required && !isEnabled) throw new GrantError("REQUIRED_CAPABILITY", SWITCHES.required(name));
    await this.#file.update((decisions) => {
      const disabled = new Set(decisions.disabled);
      if (isEnabled) disabled.delete(name);
      else disabled.add(name);
      return { ...decisions, disabled };
    });
  }

  /** Trusts the code that the capability has now. Throws GrantError for one that does not ask to be. */
  async trust({ name, runtime, bundleHash }: CapabilityRecord): Promise<void> {
    if (runtime !== "worker" || bundleHash === null) throw new GrantError("NOT_ASKED", SWITCHES.notWorker(name));
    await this.#file.update((decisions) => ({ ...decisions, trusted: new Map(decisions.trusted).set(name, bundleHash) }));
  }

  async untrust(name: string): Promise<void> {
    await this.#file.update((decisions) => ({
      ...decisions,
      trusted: new Map([...decisions.trusted].filter(([trusted]) => trusted !== name)),
    }));
  }
}

function parseDecisions(file: unknown): Decisions {
  if (!isJsonObject(file) || file["version"] !== VERSION || !isJsonObject(file["trusted"])) throw new Error(GRANTS.badForm);
  const { disabled } = file;
  const trusted = Object.entries(file["trusted"]);
  if (!Array.isArray(disabled) || !disabled.every((name) => typeof name === "string")) throw new Error(GRANTS.badForm);
  if (!trusted.every((pair): pair is [string, string] => typeof pair[1] === "string")) throw new Error(GRANTS.badForm);
  return { disabled: new Set(disabled), trusted: new Map(trusted), isUnknown: false };
}
