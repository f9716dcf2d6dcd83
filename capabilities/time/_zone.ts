import { Temporal } from "temporal-polyfill/implementation";
import { ToolError } from "toolcell/tool";

/** A zone as Temporal names it, from an IANA name, an offset such as +05:30, or UTC. `option` is the argument's name. */
export function toZone(zone: string, option: string): string {
  try {
    return Temporal.Instant.fromEpochMilliseconds(0).toZonedDateTimeISO(zone.trim()).timeZoneId;
  } catch {
    const hint = /^[A-Z]{2,5}$/.test(zone) ? "An abbreviation such as this stands for several zones. " : "";
    throw new ToolError(
      `"${option}" names the time zone "${zone}", which does not exist. ${hint}Use a name such as "Europe/Berlin", an offset such as "+05:30", or "UTC".`,
    );
  }
}
