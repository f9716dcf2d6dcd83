import type { WriteStream } from "node:tty";

/** One line on a terminal that is written over with each report; silent in a pipe. */
export interface ProgressLine {
  show(fraction: number | null, detail: string): void;
  clear(): void;
}

const CLEAR_LINE = "\r\u001b[K";
const BAR_CHARS = 20;

export function createProgressLine(stream: WriteStream, isWanted: boolean): ProgressLine {
  if (!isWanted || !stream.isTTY) return { show: () => undefined, clear: () => undefined };
  return {
    show: (fraction, detail) => stream.write(`${CLEAR_LINE}${lineOf(fraction, detail).slice(0, Math.max(10, stream.columns - 1))}`),
    clear: () => stream.write(CLEAR_LINE),
  };
}

function lineOf(fraction: number | null, detail: string): string {
  if (fraction === null) return `… ${detail}`;
  const filled = Math.round(fraction * BAR_CHARS);
  return `[${"#".repeat(filled)}${"-".repeat(BAR_CHARS - filled)}] ${Math.round(fraction * 100)} % ${detail}`;
}
