const DATE = /^(?:\d+D|\d+M(?:\d+D)?|\d+Y(?:\d+M(?:\d+D)?)?)$/;
const TIME = /^(?:\d+S|\d+M(?:\d+S)?|\d+H(?:\d+M(?:\d+S)?)?)$/;
const WEEKS = /^\d+W$/;

/** RFC 3339, appendix A: years, months and days, then hours, minutes and seconds, none left out between two; or weeks alone. */
export function isDuration(text: string): boolean {
  if (!text.startsWith("P")) return false;
  const mark = text.indexOf("T");
  if (mark === -1) return DATE.test(text.slice(1)) || WEEKS.test(text.slice(1));
  return (mark === 1 || DATE.test(text.slice(1, mark))) && TIME.test(text.slice(mark + 1));
}
