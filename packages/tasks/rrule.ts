import { RRule, rrulestr } from "rrule";

export const NAME = "rrule";
export const DESCRIPTION = "The second Tuesdays of three months, in words, and a rule read from text with an exception.";

const TEXT = "DTSTART:20260105T090000Z\nRRULE:FREQ=WEEKLY;COUNT=3\nEXDATE:20260112T090000Z";

export function run() {
  const rule = new RRule({ freq: RRule.MONTHLY, byweekday: [RRule.TU.nth(2)], count: 3, dtstart: new Date("2026-01-01T00:00:00Z") });
  return {
    tuesdays: rule.all().map((date) => date.toISOString().slice(0, 10)),
    words: rule.toText(),
    read: rrulestr(TEXT)
      .all()
      .map((date) => date.toISOString().slice(0, 10)),
  };
}
