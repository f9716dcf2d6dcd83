/** What `text_extract` knows by name: a pattern in RE2 syntax, and what to make of a match. */
export interface Kind {
  readonly pattern: string;
  readonly flags: string;
  /** The group that holds the value; 0 is the whole match. */
  readonly group: number;
  /** The value as it is reported, or null where the match was not one after all. */
  readonly clean: (value: string) => string | null;
}

const asIs = (value: string): string => value;

export const KINDS: Readonly<Record<KindName, Kind>> = {
  emails: {
    pattern: "[\\p{L}\\p{N}._%+-]+@(?:[\\p{L}\\p{N}](?:[\\p{L}\\p{N}-]*[\\p{L}\\p{N}])?\\.)+\\p{L}{2,24}",
    flags: "i",
    group: 0,
    clean: (value) => value.replace(/^\.+/, ""),
  },
  urls: {
    pattern: '\\b(?:https?|ftp)://[^\\s<>"`{}|\\\\^]+|\\bwww\\.[^\\s<>"`{}|\\\\^]+',
    flags: "i",
    group: 0,
    clean: withoutTrailingMarks,
  },
  numbers: {
    pattern: "(?:^|[^\\p{L}\\p{N}_.,])([-+−]?(?:\\d{1,3}(?:,\\d{3})+|\\d+)(?:\\.\\d+)?(?:[eE][-+]?\\d+)?)",
    flags: "",
    group: 1,
    clean: (value) => value.replace(/,/g, "").replace("−", "-").replace(/^\+/, ""),
  },
  dates: {
    pattern: `\\b(?:\\d{4}-\\d{2}-\\d{2}|\\d{1,2}[./]\\d{1,2}[./](?:\\d{4}|\\d{2})|\\d{1,2}(?:st|nd|rd|th)? (?:${months()})\\.?,? \\d{4}|(?:${months()})\\.? \\d{1,2}(?:st|nd|rd|th)?,? \\d{4})\\b`,
    flags: "i",
    group: 0,
    clean: asIs,
  },
  times: { pattern: "\\b(?:[01]?\\d|2[0-3]):[0-5]\\d(?::[0-5]\\d(?:\\.\\d+)?)?(?: ?[ap]\\.?m\\b\\.?)?", flags: "i", group: 0, clean: asIs },
  hashtags: {
    pattern: "(?:^|[^\\p{L}\\p{N}_&/#])#([\\p{L}\\p{N}_]*\\p{L}[\\p{L}\\p{N}_]*)",
    flags: "",
    group: 1,
    clean: (value) => `#${value}`,
  },
  mentions: {
    pattern: "(?:^|[^\\p{L}\\p{N}_.@/])@([\\p{L}\\p{N}_][\\p{L}\\p{N}_.-]*[\\p{L}\\p{N}_]|[\\p{L}\\p{N}_])",
    flags: "",
    group: 1,
    clean: (value) => `@${value}`,
  },
  ipv4: {
    pattern: "(?:^|[^\\d.])((?:\\d{1,3}\\.){3}\\d{1,3})",
    flags: "",
    group: 1,
    clean: (value) => (value.split(".").every((part) => Number(part) <= 255) ? value : null),
  },
  uuids: { pattern: "\\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\\b", flags: "i", group: 0, clean: asIs },
};

export type KindName = "emails" | "urls" | "numbers" | "dates" | "times" | "hashtags" | "mentions" | "ipv4" | "uuids";

function months(): string {
  return "Jan(?:uary)?|Feb(?:ruary)?|Mar(?:ch)?|Apr(?:il)?|May|June?|July?|Aug(?:ust)?|Sept?(?:ember)?|Oct(?:ober)?|Nov(?:ember)?|Dec(?:ember)?";
}

/** A full stop or a bracket after an address belongs to the sentence, unless the address opened the bracket itself. */
function withoutTrailingMarks(url: string): string {
  let end = url.length;
  let depth = 0;
  for (const mark of url) depth += mark === "(" ? 1 : mark === ")" ? -1 : 0;
  for (; end > 0; end -= 1) {
    const last = url.charAt(end - 1);
    if (last === ")" && depth < 0) depth += 1;
    else if (!".,;:!?'\"]*…".includes(last)) break;
  }
  return url.slice(0, end);
}
