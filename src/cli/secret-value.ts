import type { ReadStream } from "node:tty";
import { CLI } from "../catalogue/texts.ts";

// Far above what a vault takes, so that it is the vault that says so.
const INPUT_BYTES = 1024 * 1024;

/** The value, from a prompt that shows nothing of it or from a pipe; null where it was given up or is no text. */
export async function readSecretValue(name: string): Promise<string | null> {
  return process.stdin.isTTY ? await prompt(process.stdin, CLI.secretPrompt(name)) : await readPipe();
}

// One line feed at the end is `echo`'s or an editor's, not the secret's.
async function readPipe(): Promise<string | null> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of process.stdin as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > INPUT_BYTES) break;
    chunks.push(chunk);
  }
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(Buffer.concat(chunks)).replace(/\r?\n$/u, "");
  } catch {
    process.stderr.write(`${CLI.secretNotText}\n`);
    return null;
  }
}

/** Reads one line in raw mode, so that the terminal shows nothing. The mode is put back however it ends. */
function prompt(terminal: ReadStream, question: string): Promise<string | null> {
  return new Promise((resolve) => {
    let typed: string[] = [];
    const wasRaw = terminal.isRaw;
    const restore = (): void => void terminal.setRawMode(wasRaw);
    const finish = (value: string | null): void => {
      terminal.off("data", onData);
      terminal.off("end", onEnd);
      process.off("exit", restore);
      restore();
      terminal.pause();
      process.stderr.write("\n");
      resolve(value);
    };
    const onEnd = (): void => finish(null);
    const onData = (data: string): void => {
      // A terminal that marks what is pasted puts these around it.
      for (const key of data.replaceAll(/\u001b\[20[01]~/gu, "")) {
        switch (key) {
          case "\r":
          case "\n":
            return finish(typed.join(""));
          case "\u0003": // Ctrl-C
            return finish(null);
          case "\u0004": // Ctrl-D
            return finish(typed.length === 0 ? null : typed.join(""));
          case "\u007f":
          case "\b":
            typed.pop();
            break;
          case "\u0015": // Ctrl-U
            typed = [];
            break;
          default:
            typed.push(key);
        }
      }
    };
    process.once("exit", restore);
    terminal.setRawMode(true);
    terminal.setEncoding("utf8");
    // Asked only now: whoever answers at once would still be shown.
    process.stderr.write(question);
    terminal.on("data", onData);
    terminal.once("end", onEnd);
    terminal.resume();
  });
}
