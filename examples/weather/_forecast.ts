export interface Forecast {
  readonly place: string;
  readonly now: { readonly celsius: number; readonly sky: string };
  readonly days: readonly { readonly date: string; readonly low: number; readonly high: number }[];
}

/** The days ahead, one a line; nothing where there are none. */
export function daysText({ days }: Forecast): string {
  return days.map(({ date, low, high }) => `\n${date}: ${low} to ${high} C`).join("");
}
