import { isJsonObject, type Json } from "../catalogue/json.ts";
import { ADAPTED } from "../catalogue/texts.ts";
import { FileFault } from "./faults.ts";
import type { ToolProfile } from "./record.ts";
import { quotable } from "./visible-text.ts";

/** What holds where a tool says nothing. */
export const NO_PROFILE: ToolProfile = { expectedSeconds: null, backgroundEligible: false, gated: false, retrySafe: false };

const FLAGS: ReadonlyMap<string, "backgroundEligible" | "gated" | "retrySafe"> = new Map([
  ["background_eligible", "backgroundEligible"],
  ["backgroundEligible", "backgroundEligible"],
  ["gated", "gated"],
  ["retry_safe", "retrySafe"],
  ["retrySafe", "retrySafe"],
]);

/** Holds what EXECUTION_PROFILE says of one tool to its form: what gates a tool is not to be misread. Throws FileFault. */
export function assertProfile(value: Json, line: number | null): ToolProfile {
  if (!isJsonObject(value)) throw new FileFault(ADAPTED.profileShape, line);
  const profile: { -readonly [name in keyof ToolProfile]: ToolProfile[name] } = { ...NO_PROFILE };
  for (const [key, said] of Object.entries(value)) {
    const flag = FLAGS.get(key);
    if (flag !== undefined) {
      if (typeof said !== "boolean") throw new FileFault(ADAPTED.profileFlag(key), line);
      profile[flag] = said;
    } else if (key === "expected_seconds" || key === "expectedSeconds") {
      if (typeof said !== "number" || !Number.isFinite(said) || said < 0) throw new FileFault(ADAPTED.profileSeconds, line);
      profile.expectedSeconds = said;
    } else {
      throw new FileFault(ADAPTED.profileUnknown(quotable(key)), line);
    }
  }
  return profile;
}
