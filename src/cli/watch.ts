import { CLI } from "../catalogue/texts.ts";
import { createEngine } from "../engine/engine.ts";
import { EVENT_NAMES, type EngineEvents, type EventName } from "../engine/events.ts";
import { assertNoWords, engineOptions, type CommandLine } from "./command-line.ts";
import { skippedText } from "./listing-text.ts";
import { EXIT } from "./exit.ts";

/** `toolcell watch [--json]`: keeps running, takes what changes, and prints what happens, until it is interrupted. */
export async function watchCommand(line: CommandLine): Promise<number> {
  assertNoWords(line);
  const interrupted = untilInterrupted();
  await using engine = await createEngine({ ...engineOptions(line.flags), watch: true });
  const { json, quiet } = line.flags;
  for (const name of EVENT_NAMES) {
    engine.on(name, (event) => {
      const time = new Date().toISOString();
      process.stdout.write(
        `${json ? JSON.stringify({ time, event: name, ...event }) : `${time.slice(11, 19)}  ${eventText(name, event)}`}\n`,
      );
    });
  }
  if (!quiet) process.stderr.write(`${CLI.watching(engine.tools().length)}\n${skippedText(engine.skipped())}`);
  await interrupted;
  return EXIT.ok;
}

// An engine holds no process open by itself; this command does until it is told to end.
function untilInterrupted(): Promise<void> {
  return new Promise((resolve) => {
    const staying = setInterval(() => undefined, 2 ** 30);
    const end = (): void => {
      clearInterval(staying);
      resolve();
    };
    process.once("SIGINT", end).once("SIGTERM", end);
  });
}

type Event = EngineEvents[EventName];

function eventText(name: EventName, event: Event): string {
  const words = [name, "capability" in event ? event.capability : null, ...details(event)];
  return words.filter((word) => word !== null).join("  ");
}

function details(event: Event): readonly string[] {
  if ("addedTools" in event) return [event.tools.join(", "), ...signed("+", event.addedTools), ...signed("-", event.removedTools)];
  if ("tools" in event) return [event.tools.join(", ")];
  if ("tool" in event) return [event.tool, event.message];
  if ("reason" in event) return [event.reason];
  if ("how" in event) return [event.how];
  if ("ms" in event) return [`${event.ms} ms`];
  return "message" in event ? [event.message] : [];
}

function signed(sign: string, tools: readonly string[]): readonly string[] {
  return tools.map((tool) => `${sign}${tool}`);
}
