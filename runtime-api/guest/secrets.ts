import { GUEST } from "../../src/catalogue/texts.ts";
import type { ToolSecret, ToolSecrets } from "../types.ts";
import type { Call } from "./call.ts";
import { GuestTypeError, create, define, freeze } from "./intrinsics.ts";
import { requestPower } from "./powers.ts";

// Longer than any name of a secret.
const NAME_CHARS = 100;

/** `context.secrets` of a call. What it gives out stands for a value that the host alone has. */
export function createSecrets(callOf: () => Call): ToolSecrets {
  return freeze({
    async get(name: string) {
      if (typeof name !== "string" || name.length > NAME_CHARS) throw new GuestTypeError(GUEST.secretName);
      const { value } = await requestPower(callOf(), "secrets", "get", { name });
      return handle(name, value as string);
    },
  });
}

function handle(name: string, standIn: string): ToolSecret {
  const secret = create(null);
  define(secret, "name", name);
  define(secret, "toString", () => standIn);
  define(secret, "toJSON", () => standIn);
  return freeze(secret) as unknown as ToolSecret;
}
