import type { PowerBody } from "../bridge/messages.ts";
import type { PowerReply, PowerRequest } from "../cell/call-end.ts";
import type { Json } from "../catalogue/json.ts";
import { POWER } from "../catalogue/texts.ts";
import { type Permissions } from "../powers/permissions.ts";
import type { EffectRecord, Places } from "../powers/power.ts";
import { performPower, type PowerLimits, type PowerSet } from "../powers/powers.ts";
import { cleanLine } from "./clean.ts";
import type { Effect } from "./outcome.ts";

/** What a call's powers need of its capability. */
export interface PowerSource {
  readonly capability: string;
  /** What the values that it keeps are kept under. */
  readonly keptAs: string;
  readonly powers: PowerSet;
  readonly places: Places;
  /** Takes out of what leaves the engine the values of secrets that the capability may use. */
  readonly mask: Mask;
  /** What is granted now: looked up for every operation, so that a revocation holds from the next. */
  permissions(): Permissions;
}

/** Both give back what they were given where there is nothing to take out. */
export interface Mask {
  text(text: string): string;
  json(value: Json): Json;
}

const TARGET_CHARS = 200;

/** What one call asks of the host: each operation is listed, and stops when the call has ended. */
export class CallPowers {
  readonly #source: PowerSource;
  readonly #limits: PowerLimits & { readonly effectCount: number };
  readonly #callId: string;
  // Made for the first operation: most calls use none, and a signal costs as much as their queues.
  #ended: AbortController | null = null;
  readonly #effects: { power: string; target: string; state: Effect["state"] }[] = [];
  readonly #tally = { count: 0, inFlight: 0 };
  #unlisted = 0;
  readonly #changes: { state: Effect["state"] }[] = [];

  constructor(source: PowerSource, limits: PowerLimits & { readonly effectCount: number }, callId: string) {
    this.#source = source;
    this.#limits = limits;
    this.#callId = callId;
  }

  get count(): number {
    return this.#tally.count;
  }

  async perform(request: PowerRequest): Promise<PowerReply> {
    const { capability, keptAs, places, powers } = this.#source;
    let isListed = false;
    const use = {
      capability,
      keptAs,
      places,
      callId: this.#callId,
      permissions: this.#source.permissions(),
      signal: (this.#ended ??= new AbortController()).signal,
      effect: (target: string, changes: boolean) => {
        isListed = true;
        return this.#record(request.power, target, changes);
      },
    };
    const reply = await performPower(powers, request, use, this.#tally, this.#limits);
    // What was turned away before it was begun is listed all the same: an owner wants to see what was tried.
    if (!isListed && !reply.answer.ok && reply.answer.code === "PERMISSION_DENIED")
      this.#record(request.power, targetOf(request), false).refused();
    return reply;
  }

  /** Stops what is under way. */
  end(): void {
    this.#ended?.abort();
  }

  /** What was done, in order. An operation that was under way when the call ended stays unknown. */
  effects(): readonly Effect[] {
    const listed = this.#effects.map((effect) => ({ ...effect }));
    return this.#unlisted === 0 ? listed : [...listed, { power: "more", target: POWER.moreEffects(this.#unlisted), state: "unknown" }];
  }

  /** Whether the call may be made again without doing anything twice. */
  get isRetrySafe(): boolean {
    return this.#changes.every(({ state }) => state === "refused");
  }

  #record(power: string, target: string, changes: boolean): EffectRecord {
    const effect = { power, target: this.#source.mask.text(cleanLine(target, TARGET_CHARS)), state: "unknown" as Effect["state"] };
    if (this.#effects.length < this.#limits.effectCount) this.#effects.push(effect);
    else this.#unlisted += 1;
    if (changes) this.#changes.push(effect);
    return {
      done: () => void (effect.state = "done"),
      refused: () => void (effect.state = "refused"),
    };
  }
}

// What the guest named, of the few things that a request can name; its operation where it named nothing.
function targetOf({ op, args }: PowerBody): string {
  const named = [args["path"], args["url"], args["name"], args["key"], args["program"]].find((value) => typeof value === "string");
  return typeof named === "string" ? (named.split(/[?#]/u, 1)[0] ?? op) : op;
}
