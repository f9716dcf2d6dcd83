import { ADAPTER } from "../../../src/catalogue/texts.ts";
import { ToolError } from "../../tool-error.ts";
import { formatValues } from "../web/console-format.ts";
import { commandOf, moduleOf, type Module } from "./module-exports.ts";
import type { Served, ServingAbout } from "./shared.ts";

/** What a command line prints on, rather than into the owner's log. */
const PRINTING: readonly string[] = ["log", "info", "table", "dir"];

/** Runs a module's `cliMain`. What it prints is its text; an exit code other than 0 is a failure in those words. */
export function serveCommand(entry: object, _about: ServingAbout): Served {
  const module = moduleOf(entry);
  let last: Promise<unknown> = Promise.resolve();
  return {
    run(_context, args) {
      const { argv } = args as { readonly argv: readonly string[] };
      // One after the other: there is one console, and each has to find its own words on it.
      const mine = last.then(() => runMain(module, argv));
      last = mine.catch(() => undefined);
      return mine;
    },
    unload: undefined,
  };
}

async function runMain(module: Module, argv: readonly string[]): Promise<unknown> {
  const main = commandOf(module);
  if (main === undefined) throw new ToolError(ADAPTER.noHandler("cliMain"));
  const { lines, restore } = captureConsole();
  let value: unknown;
  try {
    value = await main([...argv]);
  } finally {
    restore();
  }
  const printed = lines.join("\n");
  if (typeof value === "number" && value !== 0) throw new ToolError(printed === "" ? ADAPTER.exitCode(value) : printed);
  if (typeof value === "string") return printed === "" ? value : `${printed}\n${value}`;
  if (typeof value !== "object" || value === null) return printed === "" ? ADAPTER.noOutput : printed;
  return printed === "" ? value : { text: printed, payload: value };
}

function captureConsole(): { readonly lines: readonly string[]; readonly restore: () => void } {
  const lines: string[] = [];
  const { console } = globalThis as unknown as { readonly console: Record<string, unknown> };
  const before = PRINTING.map((name) => [name, console[name]] as const);
  for (const name of PRINTING) console[name] = (...values: unknown[]) => void lines.push(toLine(formatValues("", values)));
  return {
    lines,
    restore: () => {
      for (const [name, method] of before) console[name] = method;
    },
  };
}

/** The parts have no methods of an array's. */
function toLine(parts: readonly unknown[]): string {
  let line = "";
  for (let index = 0; index < parts.length; index += 1) line += `${index === 0 ? "" : " "}${toWord(parts[index])}`;
  return line;
}

function toWord(part: unknown): string {
  if (part instanceof Error) return `${part.name}: ${part.message}`;
  if (typeof part === "string") return part;
  if (typeof part === "bigint") return `${part}n`;
  try {
    const json: string | undefined = JSON.stringify(part);
    return json ?? typeof part;
  } catch {
    // To print what has no JSON, such as a circle, is no reason to fail.
    return `[${typeof part}]`;
  }
}
