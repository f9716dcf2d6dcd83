import type { CapabilityRecord, ToolRecord } from "../admission/record.ts";
import type { AgentPermissions } from "./agent-permissions.ts";
import type { SourceKind } from "./found.ts";
import type { Switches } from "./switches.ts";

/** What the owner has decided, as it stood at one moment. */
export interface Decided {
  isEnabled(record: CapabilityRecord): boolean;
  isTrusted(record: CapabilityRecord): boolean;
  /** Why a source is not used at all, whatever it holds, or null. */
  whyNot(source: DecidedSource): string | null;
  /** Why one of its tools is not, or null. */
  whyNotTool(source: DecidedSource, tool: ToolRecord): string | null;
}

/** What the owner's words are about. */
interface DecidedSource {
  readonly kind: SourceKind;
  readonly capability: string;
  /** What listings show as its source: of a package, the name that npm knows it by. */
  readonly source: string | null;
}

/** What it all stands on; each part is the same object for as long as nothing of it has changed. */
export interface DecisionState {
  readonly switches: unknown;
  readonly agent: unknown;
}

/** All that is decided: what is switched off, who is trusted, and what the agent may use. */
export class Decisions {
  readonly #switches: Switches;
  readonly #agent: AgentPermissions;
  #state: DecisionState = { switches: null, agent: null };

  constructor(switches: Switches, agent: AgentPermissions) {
    this.#switches = switches;
    this.#agent = agent;
  }

  /** The same object for as long as nothing has changed. */
  get state(): DecisionState {
    const now = { switches: this.#switches.state, agent: this.#agent.state };
    if (now.switches !== this.#state.switches || now.agent !== this.#state.agent) this.#state = now;
    return this.#state;
  }

  decided(): Decided {
    const agent = this.#agent;
    return {
      ...this.#switches.decided(),
      whyNot: (source) => (source.kind === "folder" ? null : agent.whyNot(namesOf(source))),
      whyNotTool: (source, { name, profile }) => {
        // A gate is for whoever's tool it is.
        const gate = profile.gated ? agent.whyGated(name) : null;
        return gate ?? (source.kind === "folder" ? null : agent.whyNotTool(namesOf(source), name));
      },
    };
  }
}

/** The names by which an owner may mean it. */
function namesOf({ kind, capability, source }: DecidedSource): readonly [string, ...string[]] {
  return kind === "package" && source !== null ? [capability, source] : [capability];
}
