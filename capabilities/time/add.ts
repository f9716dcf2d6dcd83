import { Temporal } from "temporal-polyfill/implementation";
import { ToolError, type ToolContext, type ToolResult } from "toolcell/tool";
import { show, toFacts, toMoment } from "./_moment.ts";

export const NAME = "time_add";
export const DESCRIPTION =
  "Add or subtract years, months, weeks, days, hours, minutes and seconds. Days and longer keep the time of day across a " +
  "change of the clocks; hours and shorter are time that really passes.";
export const INPUT_SCHEMA = {
  type: "object",
  properties: {
    time: {
      type: "string",
      maxLength: 100,
      default: "now",
      description: 'A time in ISO 8601 such as "2026-01-31T14:30", a date, a Unix time, or "now".',
    },
    zone: { type: "string", maxLength: 60, description: "The zone in which `time` is meant and counted. Default: the host's." },
    years: {
      type: "integer",
      minimum: -10000,
      maximum: 10000,
      default: 0,
      description: "Years; negative to subtract, as with all of these.",
    },
    months: {
      type: "integer",
      minimum: -120000,
      maximum: 120000,
      default: 0,
      description: "Months; from the 31st to the last day of a shorter month.",
    },
    weeks: { type: "integer", minimum: -500000, maximum: 500000, default: 0, description: "Weeks." },
    days: { type: "integer", minimum: -3500000, maximum: 3500000, default: 0, description: "Days of the calendar." },
    hours: { type: "integer", minimum: -90000000, maximum: 90000000, default: 0, description: "Hours." },
    minutes: { type: "integer", minimum: -5000000000, maximum: 5000000000, default: 0, description: "Minutes." },
    seconds: { type: "integer", minimum: -300000000000, maximum: 300000000000, default: 0, description: "Seconds." },
    duration: {
      type: "string",
      maxLength: 100,
      description: 'All of it at once in ISO 8601, such as "P1Y2M10DT2H30M" or "-PT45M"; added to the others.',
    },
  },
  additionalProperties: false,
} as const;

type Amounts = { readonly [unit in "years" | "months" | "weeks" | "days" | "hours" | "minutes" | "seconds"]?: number };
interface Args extends Amounts {
  readonly time?: string;
  readonly zone?: string;
  readonly duration?: string;
}

export function run(context: ToolContext, { time = "now", zone = context.host.timeZone, duration, ...amounts }: Args): ToolResult {
  const start = toMoment(time, "time", zone);
  const steps = [...toDurations(amounts), ...(duration === undefined ? [] : [parseDuration(duration)])];
  let at = start.at;
  try {
    for (const step of steps) at = at.add(step, { overflow: "constrain" });
  } catch {
    throw new ToolError("The result lies outside the years that can be counted (-271821 to 275760). Add less.");
  }
  const notes = [...start.notes, ...toNotes(start.at, at, steps)];
  return {
    text: [show(start.at), `-> ${show(at)}`, ...notes].join("\n"),
    summary: show(at),
    payload: { from: toFacts(start.at), result: toFacts(at), notes },
  };
}

/** A duration has one sign throughout. Amounts of both signs are added one after the other, the longest unit first. */
function toDurations(amounts: Amounts): Temporal.Duration[] {
  const months = (amounts.years ?? 0) * 12 + (amounts.months ?? 0);
  const days = (amounts.weeks ?? 0) * 7 + (amounts.days ?? 0);
  const seconds = (amounts.hours ?? 0) * 3600 + (amounts.minutes ?? 0) * 60 + (amounts.seconds ?? 0);
  const signs = new Set([months, days, seconds].map(Math.sign).filter((sign) => sign !== 0));
  const steps = signs.size > 1 ? [{ months }, { days }, { seconds }] : [{ months, days, seconds }];
  return steps.map((step) => Temporal.Duration.from(step));
}

function parseDuration(duration: string): Temporal.Duration {
  try {
    return Temporal.Duration.from(duration.trim());
  } catch {
    throw new ToolError(
      `"duration" is "${duration}", which is no ISO 8601 duration. Write it as "P1Y2M10DT2H30M" (years, months and days after P, hours, minutes and seconds after T).`,
    );
  }
}

function toNotes(from: Temporal.ZonedDateTime, to: Temporal.ZonedDateTime, steps: readonly Temporal.Duration[]): string[] {
  const isByCalendar = steps.some(({ years, months, weeks, days }) => years !== 0 || months !== 0 || weeks !== 0 || days !== 0);
  const isByClock = steps.some(({ hours, minutes, seconds }) => hours !== 0 || minutes !== 0 || seconds !== 0);
  const isMoved = isByCalendar && !isByClock && !to.toPlainTime().equals(from.toPlainTime());
  return [
    ...(isMoved ? [`${from.toPlainTime().toString({ smallestUnit: "minute" })} does not exist on that day: the clocks go forward.`] : []),
    ...(from.offset === to.offset ? [] : [`The offset changes from ${from.offset} to ${to.offset} in between.`]),
  ];
}
