import { GUEST } from "../../src/catalogue/texts.ts";
import { ToolConfigError } from "../tool-config-error.ts";
import type { CredentialOptions } from "../types.ts";
import type { Call } from "./call.ts";
import { GuestTypeError } from "./intrinsics.ts";
import { requestPower } from "./powers.ts";

// Longer than any name that the host takes.
const NAME_CHARS = 100;
const NOT_CONFIGURED = "NOT_CONFIGURED";

/** `getCredential` of `toolcell/tool`. The places are looked at by the host; what comes back is one text. */
export function createCredentials(currentCall: () => Call | undefined): (options: CredentialOptions) => Promise<string> {
  return async (options) => {
    const { credentialName, toolName, keyName = "api_key", envVar } = options;
    assertName("credentialName", credentialName);
    assertName("toolName", toolName);
    assertName("keyName", keyName);
    if (envVar !== undefined) assertName("envVar", envVar);
    const asked = { credentialName, toolName, keyName, ...(envVar === undefined ? {} : { envVar }) };
    try {
      return (await requestPower(currentCall(), "secrets", "credential", asked)).value as string;
    } catch (error) {
      const { code, message } = error as { readonly code?: unknown; readonly message: string };
      throw code === NOT_CONFIGURED ? new ToolConfigError(message) : error;
    }
  };
}

function assertName(name: string, value: unknown): void {
  if (typeof value !== "string" || value.length === 0 || value.length > NAME_CHARS) throw new GuestTypeError(GUEST.credentialName(name));
}
