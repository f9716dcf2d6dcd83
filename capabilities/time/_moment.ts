import { Temporal } from "temporal-polyfill/implementation";
import { ToolError } from "toolcell/tool";
import { toZone } from "./_zone.ts";

export type Disambiguation = "compatible" | "earlier" | "later" | "reject";
type ZonedDateTime = Temporal.ZonedDateTime;

/** A point in time, in a zone, and what was odd about how it was given. */
export interface Moment {
  readonly at: ZonedDateTime;
  readonly notes: readonly string[];
}

/**
 * Reads "now", ISO 8601 with or without offset or [Zone], a date alone (midnight, or the day's first moment), or Unix
 * time in seconds or milliseconds. What says no zone is local time in `zone`. `option` is the argument's name.
 */
export function toMoment(text: string, option: string, zone: string, disambiguation: Disambiguation = "compatible"): Moment {
  const given = text.trim();
  const zoneId = toZone(zone, "zone");
  if (given === "" || given.toLowerCase() === "now") return { at: Temporal.Now.zonedDateTimeISO(zoneId), notes: [] };
  try {
    if (/^-?\d{9,16}$/.test(given)) return { at: fromUnix(given).toZonedDateTimeISO(zoneId), notes: [] };
    if (given.includes("[")) return { at: Temporal.ZonedDateTime.from(given, { disambiguation, offset: "reject" }), notes: [] };
    if (/\d(?::?\d{2})?\s?(?:Z|[+-]\d{2}(?::?\d{2})?)$/i.test(given) && /[T ]\d{2}/i.test(given))
      return { at: Temporal.Instant.from(given).toZonedDateTimeISO(zoneId), notes: [] };
    return toLocalMoment(Temporal.PlainDateTime.from(given, { overflow: "reject" }), /[T ]\d/i.test(given), zoneId, disambiguation);
  } catch (error) {
    if (error instanceof ToolError) throw error;
    const reason = error instanceof Error ? ` (${error.message})` : "";
    throw new ToolError(
      `"${option}" is "${text}", which cannot be read as a time${reason}. Write it as "2026-03-29T14:30", "2026-03-29T14:30:00+02:00", "2026-03-29", a Unix time, or "now".`,
    );
  }
}

function fromUnix(digits: string): Temporal.Instant {
  const number = Number(digits);
  return Temporal.Instant.fromEpochMilliseconds(Math.abs(number) < 1e11 ? number * 1000 : number);
}

/** Local time is not always one point: clocks that go forward leave it out, clocks that go back have it twice. */
function toLocalMoment(local: Temporal.PlainDateTime, hasTime: boolean, zone: string, disambiguation: Disambiguation): Moment {
  if (!hasTime) return { at: local.toPlainDate().toZonedDateTime(zone), notes: [] };
  const earlier = local.toZonedDateTime(zone, { disambiguation: "earlier" });
  const later = local.toZonedDateTime(zone, { disambiguation: "later" });
  if (earlier.equals(later)) return { at: earlier, notes: [] };

  const shown = local.toString({ smallestUnit: "minute" }).replace("T", " ");
  const isGap = !earlier.toPlainDateTime().equals(local);
  const why = isGap ? `${shown} does not exist in ${zone}: the clocks go forward` : `${shown} occurs twice in ${zone}: the clocks go back`;
  if (disambiguation === "reject") throw new ToolError(`${why}. Give another time, or one with its offset.`);
  const at = local.toZonedDateTime(zone, { disambiguation });
  const note = isGap
    ? `${why}; taken as ${at.toPlainTime().toString({ smallestUnit: "minute" })}.`
    : `${why}; taken as the ${at.equals(earlier) ? "first" : "second"}, at offset ${at.offset}.`;
  return { at, notes: [note] };
}

/** `Sun 2026-03-29 03:30:00 +02:00 Europe/Berlin` */
export function show(at: ZonedDateTime): string {
  const time = at
    .toPlainTime()
    .toString({ smallestUnit: at.millisecond === 0 && at.microsecond === 0 && at.nanosecond === 0 ? "second" : "millisecond" });
  return `${WEEKDAYS[at.dayOfWeek - 1]?.slice(0, 3)} ${at.toPlainDate().toString()} ${time} ${at.offset}${at.timeZoneId === at.offset ? "" : ` ${at.timeZoneId}`}`;
}

/** A moment as plain data. */
export function toFacts(at: ZonedDateTime) {
  return {
    iso: at.toString(),
    local: at.toPlainDateTime().toString(),
    offset: at.offset,
    zone: at.timeZoneId,
    weekday: WEEKDAYS[at.dayOfWeek - 1],
    week: at.weekOfYear,
    dayOfYear: at.dayOfYear,
    epochMs: at.epochMilliseconds,
  };
}

const WEEKDAYS = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"];
