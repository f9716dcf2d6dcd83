import { PLUGINS } from "../catalogue/texts.ts";
import { RegistryCollisionError, RegistryError } from "../catalogue/faults.ts";
import type { Capability, Registry } from "./registry.ts";

/**
 * What must not be lived with: a shipped tool that is broken, and a name that is registered by two packages, the engine's own
 * among them. To pick a winner, or to go without either, would be found out far from here. Throws RegistryError.
 */
export function assertStartable(registry: Registry): void {
  for (const { isShipped, isEnabled, record } of registry.capabilities) {
    const reason = record.refused ?? record.broken[0]?.reason;
    if (isShipped && isEnabled && reason !== undefined)
      throw new RegistryError("SHIPPED_BROKEN", PLUGINS.shippedBroken(record.name, reason));
  }
  for (const [tool, owners] of registry.collisions) {
    const sources = owners.filter(isOfPackage).map(({ source }) => source);
    if (sources.length > 1) throw new RegistryCollisionError(tool, sources);
  }
}

function isOfPackage({ kind, isShipped, refused }: Capability): boolean {
  return (kind === "package" || isShipped) && refused === null;
}
