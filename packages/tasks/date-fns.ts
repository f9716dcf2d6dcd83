import { addMonths, differenceInBusinessDays, eachDayOfInterval, format, formatDistance, parse } from "date-fns";
import { de } from "date-fns/locale";

export const NAME = "date_fns";
export const DESCRIPTION = "Adding a month, business days, parsing, a distance in words and a date in German.";

export function run() {
  const may = new Date(2026, 4, 1);
  return {
    month: format(addMonths(new Date(2026, 0, 31), 1), "yyyy-MM-dd"),
    businessDays: differenceInBusinessDays(new Date(2026, 4, 11), may),
    parsed: format(parse("03/02/2026 14:05", "dd/MM/yyyy HH:mm", may), "yyyy-MM-dd'T'HH:mm"),
    distance: formatDistance(new Date(2026, 4, 4), may, { addSuffix: true }),
    german: format(may, "EEEE, d. MMMM", { locale: de }),
    days: eachDayOfInterval({ start: may, end: new Date(2026, 4, 7) }).length,
  };
}
