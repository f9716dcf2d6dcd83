import { format } from "node:util";
import type { Call } from "../../runtime-api/guest/call.ts";
import type { LogLevel } from "../bridge/messages.ts";

const LEVELS = { debug: "debug", trace: "debug", log: "info", info: "info", warn: "warn", error: "error" } as const;

type Write = (chunk: unknown, encoding: unknown, done: unknown) => boolean;

/**
 * Puts what a call's code writes to the console, to stdout or to stderr into the owner's log, under that call. What no call has
 * written goes on to the host, which has its own place for it; nothing of it reaches the host's own stdout.
 */
export function captureOutput(currentCall: () => Call | undefined): void {
  const tell = (level: LogLevel, text: string): boolean => {
    const call = currentCall();
    // While a module is loaded there is no call yet whose line it could be.
    if (call === undefined || call.isEnded || call.context.callId === "") return false;
    call.log(level, [text]);
    return true;
  };
  // oxlint-disable-next-line no-console -- the console of a tool's code is what this is about
  const shown = console as unknown as Record<string, (...values: unknown[]) => void>;
  for (const [method, level] of Object.entries(LEVELS)) {
    const original = shown[method];
    shown[method] = (...values) => {
      if (!tell(level, format(...values))) original?.apply(console, values);
    };
  }
  for (const [stream, level] of [
    [process.stdout, "info"],
    [process.stderr, "warn"],
  ] as const) {
    const write = stream.write.bind(stream) as Write;
    stream.write = (chunk: unknown, encoding?: unknown, done?: unknown) => {
      if (!tell(level, textOf(chunk))) return write(chunk, encoding, done);
      const isWritten = typeof encoding === "function" ? encoding : done;
      if (typeof isWritten === "function") process.nextTick(isWritten);
      return true;
    };
  }
}

function textOf(chunk: unknown): string {
  const text = typeof chunk === "string" ? chunk : Buffer.from(chunk as Uint8Array).toString("utf8");
  return text.replace(/\r?\n$/u, "");
}
