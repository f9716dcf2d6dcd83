import { Cron } from "croner";
import { Temporal } from "temporal-polyfill/implementation";
import { ToolError } from "toolcell/tool";

/** A time of day that the clocks leave out falls due when they have gone forward; one that they have twice, once. */
export function nextByCron(rule: string, after: Temporal.ZonedDateTime, count: number): Temporal.ZonedDateTime[] {
  try {
    const cron = new Cron(rule.trim(), { timezone: after.timeZoneId, paused: true });
    return cron
      .nextRuns(count, new Date(after.epochMilliseconds))
      .map((date) => Temporal.Instant.fromEpochMilliseconds(date.getTime()).toZonedDateTimeISO(after.timeZoneId));
  } catch (error) {
    const reason = (error instanceof Error ? error.message : String(error)).replace(/^CronPattern: |\.$/g, "");
    throw new ToolError(
      `"rule" is "${rule}", which is neither cron nor an RFC 5545 rule: ${reason}. Write cron as "minute hour day month weekday", such as "30 9 * * 1-5", or a rule such as "FREQ=WEEKLY;BYDAY=MO".`,
    );
  }
}
