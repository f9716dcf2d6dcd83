import type { Temporal } from "temporal-polyfill/implementation";
import type { ToolContext, ToolResult } from "toolcell/tool";
import { show, toFacts, toMoment } from "./_moment.ts";

export const NAME = "time_difference";
export const DESCRIPTION =
  "Say how far two times lie apart: in years, months, days and so on by the calendar of a zone, and in total hours, minutes and seconds.";
export const INPUT_SCHEMA = {
  type: "object",
  properties: {
    from: { type: "string", maxLength: 100, description: 'The first time: ISO 8601, a date, a Unix time, or "now".' },
    to: {
      type: "string",
      maxLength: 100,
      default: "now",
      description: "The second time. Earlier than `from` gives a negative difference.",
    },
    unit: {
      type: "string",
      enum: ["years", "months", "weeks", "days", "hours", "minutes", "seconds"],
      default: "years",
      description: "The largest unit to count in.",
    },
    zone: { type: "string", maxLength: 60, description: "The zone whose calendar and clocks count. Default: the host's." },
  },
  required: ["from"],
  additionalProperties: false,
} as const;

type Unit = "years" | "months" | "weeks" | "days" | "hours" | "minutes" | "seconds";
interface Args {
  readonly from: string;
  readonly to?: string;
  readonly unit?: Unit;
  readonly zone?: string;
}

export function run(context: ToolContext, { from, to = "now", unit = "years", zone = context.host.timeZone }: Args): ToolResult {
  const start = toMoment(from, "from", zone);
  const end = toMoment(to, "to", zone);
  // Calendar units can only be counted in one zone.
  const duration = start.at.until(end.at.withTimeZone(start.at.timeZoneId), { largestUnit: unit, smallestUnit: "millisecond" });
  const milliseconds = end.at.epochMilliseconds - start.at.epochMilliseconds;
  const total = {
    days: milliseconds / 86_400_000,
    hours: milliseconds / 3_600_000,
    minutes: milliseconds / 60_000,
    seconds: milliseconds / 1000,
  };
  const words = toWords(duration);
  const notes = [...start.notes, ...end.notes];
  return {
    text: [
      `From ${show(start.at)}`,
      `to   ${show(end.at)}`,
      `is   ${words}`,
      `In total: ${Object.entries(total)
        .map(([name, value]) => `${round(value)} ${name}`)
        .join(" = ")}`,
      ...notes,
    ].join("\n"),
    summary: words,
    payload: {
      from: toFacts(start.at),
      to: toFacts(end.at),
      duration: duration.toString(),
      parts: toParts(duration),
      total,
      milliseconds,
      notes,
    },
  };
}

const PARTS = ["years", "months", "weeks", "days", "hours", "minutes", "seconds", "milliseconds"] as const;

function toParts(duration: Temporal.Duration): Record<string, number> {
  return Object.fromEntries(PARTS.map((part) => [part, duration[part]] as const).filter(([, count]) => count !== 0));
}

function toWords(duration: Temporal.Duration): string {
  const words = Object.entries(toParts(duration.abs())).map(([part, count]) => `${count} ${count === 1 ? part.slice(0, -1) : part}`);
  if (words.length === 0) return "no time at all";
  return `${duration.sign < 0 ? "minus " : ""}${words.join(", ")}`;
}

function round(value: number): number {
  return Number(value.toFixed(3));
}
