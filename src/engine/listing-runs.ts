import type { Admission } from "../admission/admission.ts";
import { createListingCache } from "../admission/listing-cache.ts";
import { ADAPTED } from "../catalogue/texts.ts";
import { Lister } from "../registry/lister.ts";
import { MOUNTS } from "./call-target.ts";
import { cleanText } from "./clean.ts";
import { guestLimits } from "./guest-limits.ts";
import { coarseHostFacts } from "./host-facts.ts";
import type { Limits } from "./limits.ts";
import type { Log } from "./log.ts";
import type { Settings } from "./options.ts";
import { cachePlaces } from "./places.ts";

/** What lists the tools of sources that are known only by running them, under the engine's limits and walls. */
export function createLister({ home, limits, policy }: Settings, admission: Admission, log: Log): Lister {
  const { listMs, listBytes, memoryBytes, cpuMs } = limits;
  return new Lister({
    limits,
    policy,
    cache: createListingCache(cachePlaces(home).cacheDir, { listMs, listBytes, memoryBytes, cpuMs }),
    bundle: (hash) => admission.bundle(hash),
    config: (capability, lowered) => ({
      capability,
      wasm: false,
      guest: guestLimits({ ...limits, ...lowered } satisfies Limits),
      paths: MOUNTS,
      host: coarseHostFacts(),
    }),
    log: (level, message, { capability, hash, stack }) => {
      const line = stack === null ? cleanText(message) : ADAPTED.listFailed(cleanText(message));
      if (stack === null) return log(level, line, { capability });
      void admission
        .trace(hash, stack, capability)
        .catch(() => stack)
        .then((detail) => log(level, line, { capability, detail: cleanText(detail) }));
    },
  });
}
