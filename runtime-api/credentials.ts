import { ToolConfigError } from "./tool-config-error.ts";
import type { CredentialOptions } from "./types.ts";

/**
 * A credential of the tool's: what stands for it, which the host replaces by the value on its way to a host that the grant
 * names, or the value itself where the grant says so. It is looked for in config.json, the encrypted vault,
 * shared/credentials.json and the environment, in this order; an empty value falls through. Rejects with ToolConfigError where
 * no place has it, and with a PERMISSION_DENIED where it is not granted.
 *
 * Outside a cell, in an author's unit tests, the environment is the only place.
 */
export function getCredential({ credentialName, toolName, envVar }: CredentialOptions): Promise<string> {
  const value = envVar === undefined ? undefined : environment()[envVar];
  if (value !== undefined && value.trim() !== "") return Promise.resolve(value);
  const remedy = envVar === undefined ? "name an `envVar` and set that" : `set ${envVar} in the environment`;
  return Promise.reject(new ToolConfigError(`${toolName} has no credential "${credentialName}": outside a cell, ${remedy}`));
}

function environment(): Readonly<Record<string, string | undefined>> {
  const { process } = globalThis as { process?: { readonly env: Readonly<Record<string, string | undefined>> } };
  return process?.env ?? {};
}
