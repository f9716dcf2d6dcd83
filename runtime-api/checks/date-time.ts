// RFC 3339, section 5.6. Dates and times are of a fixed form, so that each expression looks at a character once.

const DATE = /^(\d{4})-(\d{2})-(\d{2})$/;
const TIME = /^(\d{2}):(\d{2}):(\d{2})(?:\.\d+)?(?:[Zz]|([+-])(\d{2}):(\d{2}))$/;
const LOCAL_TIME = /^(\d{2}):(\d{2}):(\d{2})(?:\.\d+)?$/;
const MONTH_DAYS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
const DAY_MINUTES = 24 * 60;

export function isDate(text: string): boolean {
  const [, year, month, day] = (DATE.exec(text) ?? []).map(Number);
  if (year === undefined || month === undefined || day === undefined) return false;
  const isLeap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  const days = month === 2 && isLeap ? 29 : (MONTH_DAYS[month - 1] ?? 0);
  return day >= 1 && day <= days;
}

export function isTime(text: string): boolean {
  const parts = TIME.exec(text);
  if (parts === null) return false;
  const [, hour, minute, second, sign, offsetHour = "0", offsetMinute = "0"] = parts;
  if (Number(offsetHour) > 23 || Number(offsetMinute) > 59) return false;
  const offset = (Number(offsetHour) * 60 + Number(offsetMinute)) * (sign === "-" ? -1 : 1);
  return isClock(Number(hour), Number(minute), Number(second), offset);
}

export function isDateTime(text: string): boolean {
  return isJoined(text, isTime);
}

/** ISO 8601, where the offset may be left out. */
export function isIsoTime(text: string): boolean {
  const parts = LOCAL_TIME.exec(text);
  return parts === null ? isTime(text) : isClock(Number(parts[1]), Number(parts[2]), Number(parts[3]), 0);
}

export function isIsoDateTime(text: string): boolean {
  return isJoined(text, isIsoTime);
}

function isJoined(text: string, isClockTime: (text: string) => boolean): boolean {
  const mark = text.charAt(10);
  return (mark === "T" || mark === "t") && isDate(text.slice(0, 10)) && isClockTime(text.slice(11));
}

/** A leap second is the last of a day, at Greenwich. */
function isClock(hour: number, minute: number, second: number, offset: number): boolean {
  if (hour > 23 || minute > 59 || second > 60) return false;
  const atGreenwich = (hour * 60 + minute - offset + DAY_MINUTES) % DAY_MINUTES;
  return second < 60 || atGreenwich === DAY_MINUTES - 1;
}
