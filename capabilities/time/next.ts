import type { Temporal } from "temporal-polyfill/implementation";
import { ToolError, type ToolContext, type ToolResult } from "toolcell/tool";
import { nextByCron } from "./_cron.ts";
import { show, toFacts, toMoment } from "./_moment.ts";
import { nextByRule } from "./_rrule.ts";
import { toZone } from "./_zone.ts";

export const NAME = "time_next";
export const DESCRIPTION =
  "Give the next times at which a repeating rule falls due: a cron expression (`30 9 * * 1-5`) or an RFC 5545 rule " +
  "(`FREQ=MONTHLY;BYDAY=-1FR`), in the clock time of a zone.";
export const INPUT_SCHEMA = {
  type: "object",
  properties: {
    rule: {
      type: "string",
      minLength: 1,
      maxLength: 1000,
      description:
        "Cron with 5 fields (6 with seconds first), or @daily and its like; or RRULE text, with DTSTART, RDATE and EXDATE lines if needed.",
    },
    after: { type: "string", maxLength: 100, default: "now", description: "Only times later than this." },
    start: {
      type: "string",
      maxLength: 100,
      description: "For an RFC 5545 rule without DTSTART: its first time, from which INTERVAL and COUNT are counted. Default: `after`.",
    },
    count: { type: "integer", minimum: 1, maximum: 100, default: 5, description: "How many times to give." },
    zone: { type: "string", maxLength: 60, description: "The zone of the clock that the rule means. Default: the host's." },
  },
  required: ["rule"],
  additionalProperties: false,
} as const;

interface Args {
  readonly rule: string;
  readonly after?: string;
  readonly start?: string;
  readonly count?: number;
  readonly zone?: string;
}

export function run(context: ToolContext, { rule, after = "now", start, count = 5, zone = context.host.timeZone }: Args): ToolResult {
  const zoneId = toZone(zone, "zone");
  const from = toMoment(after, "after", zoneId).at.withTimeZone(zoneId);
  const isRule = /FREQ\s*=/i.test(rule);
  if (!isRule && start !== undefined) throw new ToolError('"start" goes with an RFC 5545 rule only; cron has no beginning. Leave it out.');
  const begin =
    start === undefined
      ? from.with({ millisecond: 0, microsecond: 0, nanosecond: 0 })
      : toMoment(start, "start", zoneId).at.withTimeZone(zoneId);
  const times: readonly Temporal.ZonedDateTime[] = isRule ? nextByRule(rule, begin, from, count) : nextByCron(rule, from, count);
  const kind = isRule ? "rrule" : "cron";
  if (times.length === 0)
    return {
      text: `The rule never falls due after ${show(from)}.`,
      summary: "Never again",
      payload: { kind, times: [], isComplete: true },
    };
  const isComplete = times.length < count;
  return {
    text: [...times.map(show), ...(isComplete ? ["The rule ends there."] : [])].join("\n"),
    summary: times[0] ? `Next: ${show(times[0])}` : "",
    payload: { kind, times: times.map(toFacts), isComplete },
  };
}
