import type { GuestLimits } from "../bridge/messages.ts";
import type { Limits } from "./limits.ts";

/** The rows that the guest's own runtime holds to: a guest learns no other. */
export function guestLimits(limits: Limits): GuestLimits {
  const {
    resultBytes,
    depthCount,
    valueCount,
    imageCount,
    faultCount,
    messageChars,
    progressCount,
    progressMs,
    detailChars,
    logCount,
    logChars,
    timerCount,
    powerInFlightCount,
    powerBytes,
    storageKeyBytes,
    storageValueBytes,
    processInputBytes,
    nativeBytes,
    nativeStreamCount,
    deriveCount,
  } = limits;
  return {
    resultBytes,
    depthCount,
    valueCount,
    imageCount,
    faultCount,
    messageChars,
    progressCount,
    progressMs,
    detailChars,
    logCount,
    logChars,
    timerCount,
    powerInFlightCount,
    powerBytes,
    storageKeyBytes,
    storageValueBytes,
    processInputBytes,
    nativeBytes,
    nativeStreamCount,
    deriveCount,
  };
}
