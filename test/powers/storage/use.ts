import { randomUUID } from "node:crypto";
import type { Json, JsonObject } from "../../../src/catalogue/json.ts";
import { NO_PERMISSIONS, type Permissions } from "../../../src/powers/permissions.ts";
import type { Places, Power, PowerUse } from "../../../src/powers/power.ts";

export interface Listed {
  readonly target: string;
  readonly changes: boolean;
  state: "unknown" | "done" | "refused";
}

/** One call of a capability as a power sees it. */
export interface TestUse extends PowerUse {
  readonly effects: readonly Listed[];
  end(): void;
}

export function makeUse(capability: string, permissions: Partial<Permissions>, places: Partial<Places> = {}): TestUse {
  const controller = new AbortController();
  const effects: Listed[] = [];
  return {
    capability,
    callId: randomUUID(),
    places: { workspace: "/nowhere", home: "/nowhere", capability: "/nowhere", temp: "/nowhere", ...places },
    permissions: { ...NO_PERMISSIONS, ...permissions },
    signal: controller.signal,
    effects,
    end: () => controller.abort(),
    effect: (target, changes) => {
      const effect: Listed = { target, changes, state: "unknown" };
      effects.push(effect);
      return { done: () => void (effect.state = "done"), refused: () => void (effect.state = "refused") };
    },
  };
}

export async function ask(power: Power, use: PowerUse, op: string, args: JsonObject = {}, bytes: Buffer | null = null): Promise<Json> {
  return (await power.perform({ op, args, bytes }, use)).value;
}
