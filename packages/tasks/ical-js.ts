import ICAL from "ical.js";

export const NAME = "ical_js";
export const DESCRIPTION = "A calendar read, its event's recurrences and duration, and an event written.";

const CALENDAR = `BEGIN:VCALENDAR
VERSION:2.0
BEGIN:VEVENT
UID:1
SUMMARY:Stand-up\\, short
DTSTART:20260105T090000Z
DTEND:20260105T091500Z
RRULE:FREQ=DAILY;COUNT=3
END:VEVENT
END:VCALENDAR`.replaceAll("\n", "\r\n");

export function run() {
  const component = new ICAL.Component(ICAL.parse(CALENDAR));
  const event = new ICAL.Event(component.getFirstSubcomponent("vevent"));
  const times: string[] = [];
  const iterator = event.iterator();
  for (let next = iterator.next(); next; next = iterator.next()) times.push(next.toString());
  const written = new ICAL.Component("vevent");
  written.addPropertyWithValue("summary", "One; two");
  return { summary: event.summary, minutes: event.duration.toSeconds() / 60, times, written: written.toString() };
}
