import type { PowerName } from "../bridge/messages.ts";
import { POWER } from "../catalogue/texts.ts";
import type { PowerReply, PowerRequest } from "../cell/call-end.ts";
import { PowerError, type Power, type PowerUse } from "./power.ts";

/** Every power of an engine, by its name on the bridge. */
export type PowerSet = { readonly [name in PowerName]: Power };

export interface PowerLimits {
  readonly powerCount: number;
  readonly powerInFlightCount: number;
  readonly powerBytes: number;
}

/** What one call has asked for so far. */
export interface PowerTally {
  count: number;
  inFlight: number;
}

/** Does what a guest asks for, or says why not. Never rejects. */
export async function performPower(
  powers: PowerSet,
  request: PowerRequest,
  use: PowerUse,
  tally: PowerTally,
  limits: PowerLimits,
): Promise<PowerReply> {
  const { id, op, args, bytes } = request;
  tally.count += 1;
  tally.inFlight += 1;
  try {
    assertWithin(tally, limits, bytes);
    const { value, bytes: given = null } = await choose(powers, request.power).perform({ op, args, bytes }, use);
    if (given !== null && given.length > limits.powerBytes) throw new PowerError("POWER_LIMIT", POWER.answerBytes(limits.powerBytes));
    return { answer: { id, ok: true, value }, bytes: given };
  } catch (error) {
    // An error that is none of ours may name what no guest should read.
    const told = error instanceof PowerError ? error : new PowerError("POWER_FAILED", POWER.failed);
    return { answer: { id, ok: false, code: told.code, message: told.message }, bytes: null };
  } finally {
    tally.inFlight -= 1;
  }
}

// A branch for each, in the source: the name is a guest's.
function choose(powers: PowerSet, name: PowerName): Power {
  switch (name) {
    case "files":
      return powers.files;
    case "network":
      return powers.network;
    case "storage":
      return powers.storage;
    case "secrets":
      return powers.secrets;
    case "process":
      return powers.process;
    case "tools":
      return powers.tools;
  }
}

function assertWithin({ count, inFlight }: PowerTally, limits: PowerLimits, bytes: Buffer | null): void {
  if (count > limits.powerCount) throw new PowerError("POWER_LIMIT", POWER.count(limits.powerCount));
  if (inFlight > limits.powerInFlightCount) throw new PowerError("POWER_LIMIT", POWER.inFlight(limits.powerInFlightCount));
  if (bytes !== null && bytes.length > limits.powerBytes) throw new PowerError("POWER_LIMIT", POWER.requestBytes(limits.powerBytes));
}
