import type { Flags } from "./command-line.ts";

/** What a command came to, on stdout: as JSON, or in words. */
export function report({ json }: Pick<Flags, "json">, value: object, words: string): void {
  process.stdout.write(`${json ? JSON.stringify(value, null, 2) : words}\n`);
}
