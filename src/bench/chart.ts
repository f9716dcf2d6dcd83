import { toAmount } from "./pretty.ts";
import type { Row } from "./rounds.ts";

const WIDTH = 820;
const LABELS = 300;
const VALUES = 150;
const LINE = 30;
const HEAD = 56;
const AXIS = 28;
// Read on white and on black alike; the two of text change with the reader's scheme.
const STYLE = `text{font:13px system-ui,sans-serif;fill:#1f2328}.quiet{fill:#59636e;font-size:12px}.title{font-weight:600;font-size:15px}
.grid{stroke:#8b949e;stroke-opacity:.35}.range{stroke:#8b949e;stroke-width:4;stroke-linecap:round}.dot{fill:#6e7781}
.own .range,.own .dot{stroke:#2f81f7;fill:#2f81f7}.own text{font-weight:600}
@media(prefers-color-scheme:dark){text{fill:#e6edf3}.quiet{fill:#9198a1}}`;

export interface ChartOptions {
  readonly title: string;
  /** For whoever does not see it: what is shown and how it is read. The figures follow it. */
  readonly description: string;
  /** The rows that stand out. */
  readonly own: readonly string[];
}

/** An SVG of times on a logarithmic scale, one line a row: a dot at the p50 and a bar from there to the p99. */
export function toChart(rows: readonly Row[], { title, description, own }: ChartOptions): string {
  const all = rows.flatMap(({ times }) => [times.p50, times.p99]).filter((time) => time > 0);
  const [first, last] = [decadeBelow(Math.min(...all)), decadeAbove(Math.max(...all))];
  const place = (time: number): number => LABELS + ((Math.log10(time) - first) / (last - first)) * (WIDTH - LABELS - VALUES);
  const height = HEAD + rows.length * LINE + AXIS;
  const told = rows.map(({ name, unit, times }) => `${name}: p50 ${toAmount(times.p50, unit)}, p99 ${toAmount(times.p99, unit)}`);
  const decades = Array.from({ length: last - first + 1 }, (_, index) => 10 ** (first + index));
  return `${[
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH}" height="${height}" role="img" aria-labelledby="title desc">`,
    `<title id="title">${escape(title)}</title>`,
    `<desc id="desc">${escape(`${description} ${told.join("; ")}.`)}</desc>`,
    `<style>${STYLE}</style>`,
    `<text class="title" x="8" y="22">${escape(title)}</text>`,
    ...decades.map((time) => gridLine(place(time), height, toDecade(time))),
    ...rows.map((row, index) => rowMarks(row, HEAD + index * LINE + LINE / 2, place, own.includes(row.name))),
    "</svg>",
  ].join("\n")}\n`;
}

function toDecade(micros: number): string {
  if (micros >= 1e6) return `${micros / 1e6} s`;
  return micros >= 1000 ? `${micros / 1000} ms` : `${Number(micros.toPrecision(1))} us`;
}

function gridLine(x: number, height: number, label: string): string {
  const at = x.toFixed(1);
  return `<line class="grid" x1="${at}" x2="${at}" y1="${HEAD - 8}" y2="${height - AXIS}"/><text class="quiet" x="${at}" y="${height - 8}" text-anchor="middle">${label}</text>`;
}

function rowMarks({ name, unit, times }: Row, y: number, place: (time: number) => number, isOwn: boolean): string {
  const [from, to] = [place(times.p50), place(times.p99)].map((x) => x.toFixed(1));
  return [
    `<g${isOwn ? ' class="own"' : ""}>`,
    `<text x="8" y="${y + 4}">${escape(name)}</text>`,
    `<line class="range" x1="${from}" x2="${to}" y1="${y}" y2="${y}"/><circle class="dot" cx="${from}" cy="${y}" r="6"/>`,
    `<text x="${WIDTH - 8}" y="${y + 4}" text-anchor="end">${toAmount(times.p50, unit)} / ${toAmount(times.p99, unit)}</text>`,
    "</g>",
  ].join("");
}

function decadeBelow(time: number): number {
  return Math.floor(Math.log10(time));
}

function decadeAbove(time: number): number {
  return Math.max(Math.ceil(Math.log10(time)), decadeBelow(time) + 1);
}

function escape(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
}
