import { RRuleTemporal } from "rrule-temporal";
import { Temporal } from "temporal-polyfill/implementation";
import { ToolError } from "toolcell/tool";

/** How many periods without a time are gone through. COUNT is counted from the start, so there all periods since then come on top. */
const MOST_PERIODS = 5000;
const MOST_PERIODS_COUNTED = 20_000;

/** By RFC 5545: a local time that the clocks leave out is skipped and not counted; of one that occurs twice, the first. */
export function nextByRule(
  rule: string,
  start: Temporal.ZonedDateTime,
  after: Temporal.ZonedDateTime,
  count: number,
): Temporal.ZonedDateTime[] {
  assertParts(rule);
  const maxIterations = /COUNT\s*=/i.test(rule) ? MOST_PERIODS_COUNTED : MOST_PERIODS;
  try {
    const recurrence = new RRuleTemporal({
      rruleString: rule.trim(),
      dtstart: start,
      strict: true,
      cache: false,
      temporal: Temporal,
      maxIterations,
    });
    const times: Temporal.ZonedDateTime[] = [];
    let from = after;
    while (times.length < count) {
      const next = recurrence.next(from, false);
      if (next === null) break;
      from = next.withTimeZone(after.timeZoneId);
      times.push(from);
    }
    return times;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    if (reason.startsWith("Maximum "))
      throw new ToolError(
        `"rule" gives no time within ${maxIterations} periods. Check that its parts can come together (there is no 30th of February), or give a later "start".`,
      );
    throw new ToolError(`"rule" cannot be read as an RFC 5545 rule: ${reason}. Write it as "FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,WE".`);
  }
}

/** The library passes over parts that it does not know and values out of range; a model would take the answer for its rule's. */
function assertParts(rule: string): void {
  const line = /(?:^|\n)(?:RRULE[^:\n]*:)?([^\n:]*FREQ\s*=[^\n]*)/i.exec(rule)?.[1] ?? "";
  for (const part of line.trim().split(";")) {
    const [name = "", value = ""] = part.split("=").map((side) => side.trim().toUpperCase());
    const isValid = PARTS.get(name);
    if (isValid === undefined)
      throw new ToolError(`"rule" has the part "${part}", which RFC 5545 does not know. There are: ${[...PARTS.keys()].join(", ")}.`);
    if (!isValid(value))
      throw new ToolError(`"rule" has ${name}=${value}, which is not a value that ${name} can take. Correct it, or leave it out.`);
  }
}

const within =
  (least: number, most: number, isSigned = false) =>
  (value: string): boolean =>
    value.split(",").every((item) => {
      const number = Number(item);
      const size = isSigned ? Math.abs(number) : number;
      return /^[-+]?\d+$/.test(item) && size >= least && size <= most;
    });

const PARTS: ReadonlyMap<string, (value: string) => boolean> = new Map([
  ["FREQ", (value: string) => /^(?:YEARLY|MONTHLY|WEEKLY|DAILY|HOURLY|MINUTELY|SECONDLY)$/.test(value)],
  ["INTERVAL", within(1, 1_000_000)],
  ["COUNT", within(1, 1_000_000)],
  ["UNTIL", (value: string) => /^\d{8}(?:T\d{6}Z?)?$/.test(value)],
  ["BYSECOND", within(0, 59)],
  ["BYMINUTE", within(0, 59)],
  ["BYHOUR", within(0, 23)],
  ["BYDAY", (value: string) => value.split(",").every((item) => /^(?:[-+]?(?:[1-9]|[1-4]\d|5[0-3]))?(?:MO|TU|WE|TH|FR|SA|SU)$/.test(item))],
  ["BYMONTHDAY", within(1, 31, true)],
  ["BYYEARDAY", within(1, 366, true)],
  ["BYWEEKNO", within(1, 53, true)],
  ["BYMONTH", within(1, 12)],
  ["BYSETPOS", within(1, 366, true)],
  ["WKST", (value: string) => /^(?:MO|TU|WE|TH|FR|SA|SU)$/.test(value)],
]);
