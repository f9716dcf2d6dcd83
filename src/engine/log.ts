import { appendFileSync, mkdirSync, renameSync, statSync } from "node:fs";
import { join } from "node:path";
import type { LogLevel } from "../bridge/messages.ts";

/** One line of the owner's log: what tools log, the stacks that no model sees, the ends of cells. */
export interface LogEntry {
  /** ISO 8601. */
  readonly time: string;
  readonly level: LogLevel;
  readonly message: string;
  readonly capability?: string;
  readonly tool?: string;
  readonly callId?: string;
  readonly caller?: string;
  /** A stack, or the last words of a process. */
  readonly detail?: string;
}

export type Log = (level: LogLevel, message: string, about?: Omit<LogEntry, "time" | "level" | "message">) => void;

const FILE_BYTES = 5 * 1024 * 1024;

/** The log that an engine writes to: the embedder's function, or a file under the home. */
export function createLog(home: string, sink: ((entry: LogEntry) => void) | null): Log {
  const write = sink ?? fileSink(join(home, "logs"));
  return (level, message, about = {}) => {
    try {
      write({ time: new Date().toISOString(), level, message, ...about });
    } catch {
      // A log that cannot be written is no reason for a call to fail.
    }
  };
}

// One JSON object a line; two files of at most FILE_BYTES, the older one replaced.
function fileSink(folder: string): (entry: LogEntry) => void {
  const file = join(folder, "engine.jsonl");
  let bytes = -1;
  return (entry) => {
    if (bytes < 0) {
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      bytes = statSync(file, { throwIfNoEntry: false })?.size ?? 0;
    }
    const line = `${JSON.stringify(entry)}\n`;
    if (bytes + line.length > FILE_BYTES) {
      renameSync(file, `${file}.1`);
      bytes = 0;
    }
    appendFileSync(file, line, { mode: 0o600 });
    bytes += line.length;
  };
}
