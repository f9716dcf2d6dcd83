import { readFile } from "node:fs/promises";
import { text } from "node:stream/consumers";
import { CLI } from "../../catalogue/texts.ts";
import { UsageError } from "../command-line.ts";

/** Where a word may say that its value comes from. */
export interface Sources {
  /** `@file` is a file's text, `-` is stdin's, `@@x` is `@x`, and any other word is itself. Throws UsageError. */
  readWord(word: string): Promise<string>;
  readStdin(): Promise<string>;
}

/** The sources of one command line, whose stdin can be read once. */
export function createSources(): Sources {
  let isStdinRead = false;

  async function readStdin(): Promise<string> {
    if (isStdinRead) throw new UsageError(CLI.stdinTwice);
    isStdinRead = true;
    return await text(process.stdin);
  }

  return {
    readStdin,
    async readWord(word) {
      if (word === "-") return await readStdin();
      if (word.startsWith("@@")) return word.slice(1);
      return word.startsWith("@") ? await readText(word.slice(1)) : word;
    },
  };
}

async function readText(file: string): Promise<string> {
  try {
    return await readFile(file, "utf8");
  } catch (error) {
    throw new UsageError(CLI.unreadableFile(file, (error as NodeJS.ErrnoException).code ?? ""), { cause: error });
  }
}
