import { DateTime, Duration, Interval } from "luxon";

export const NAME = "luxon";
export const DESCRIPTION = "An hour over a change to summer time, another zone, French names, a duration and an interval.";

export function run() {
  const before = DateTime.fromISO("2026-03-29T01:30", { zone: "Europe/Vienna" });
  return {
    after: before.plus({ hours: 1 }).toISO(),
    tokyo: before.setZone("Asia/Tokyo").toFormat("yyyy-MM-dd HH:mm"),
    french: before.setLocale("fr").toFormat("cccc d LLLL"),
    duration: Duration.fromISO("PT90M").toFormat("h:mm"),
    days: Interval.fromISO("2026-01-01/2026-03-01").length("days"),
  };
}
