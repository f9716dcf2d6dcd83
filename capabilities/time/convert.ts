import type { ToolContext, ToolResult } from "toolcell/tool";
import { show, toFacts, toMoment, type Disambiguation } from "./_moment.ts";
import { toZone } from "./_zone.ts";

export const NAME = "time_convert";
export const DESCRIPTION =
  "Tell what time it is, or read a time in one zone and show it in others. Says so where a local time does not exist or " +
  "occurs twice because the clocks change.";
export const INPUT_SCHEMA = {
  type: "object",
  properties: {
    time: {
      type: "string",
      maxLength: 100,
      default: "now",
      description: 'A time in ISO 8601 such as "2026-03-29T14:30", a date, a Unix time, or "now".',
    },
    from: { type: "string", maxLength: 60, description: "The zone in which `time` is meant if it names none. Default: the host's." },
    to: {
      type: "array",
      items: { type: "string", maxLength: 60 },
      maxItems: 50,
      description: 'The zones to show it in, such as ["Asia/Tokyo", "UTC"]. Default: only `from`.',
    },
    disambiguation: {
      type: "string",
      enum: ["compatible", "earlier", "later", "reject"],
      default: "compatible",
      description: "Which point is meant by a local time that occurs twice or not at all. `compatible`: the first of two, and past a gap.",
    },
  },
  additionalProperties: false,
} as const;

interface Args {
  readonly time?: string;
  readonly from?: string;
  readonly to?: readonly string[];
  readonly disambiguation?: Disambiguation;
}

export function run(context: ToolContext, { time = "now", from = context.host.timeZone, to = [], disambiguation }: Args): ToolResult {
  const { at, notes } = toMoment(time, "time", toZone(from, "from"), disambiguation);
  const shown = to.length === 0 ? [at] : to.map((zone) => at.withTimeZone(toZone(zone, "to")));
  return {
    text: [...(to.length === 0 ? [] : [`${show(at)} is`]), ...shown.map(show), ...notes].join("\n"),
    summary: shown.map(show).join("; ").slice(0, 120),
    payload: { from: toFacts(at), to: shown.map(toFacts), notes },
  };
}
