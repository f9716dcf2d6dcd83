import { manyAtOnce, oneByOne, type Contender } from "../src/bench/contender.ts";
import type { LeftOut } from "../src/bench/run.ts";

export interface EchoArguments {
  readonly text: string;
}

/** Something that gives a text back, by way of whatever it stands for. */
export interface Side extends AsyncDisposable {
  readonly name: string;
  readonly echo: (args: EchoArguments) => Promise<string> | string;
  /** Processes of its own, beside this one. */
  readonly pids: () => readonly number[];
}

export interface Starter {
  readonly name: string;
  readonly start: () => Promise<Side>;
}

export interface Sides extends AsyncDisposable {
  readonly started: readonly Side[];
  readonly leftOut: readonly LeftOut[];
  readonly pids: () => readonly number[];
}

/** Starts each, and has it prove itself once. One that cannot be had is left out with its reason. */
export async function startSides(starters: readonly Starter[]): Promise<Sides> {
  await using stack = new AsyncDisposableStack();
  const started: Side[] = [];
  const leftOut: LeftOut[] = [];
  for (const { name, start } of starters) {
    try {
      const side = stack.use(await start());
      await assertEcho(side);
      started.push(side);
    } catch (error) {
      leftOut.push({ name, reason: error instanceof Error ? (error.message.split("\n", 1)[0] ?? "") : String(error) });
    }
  }
  const held = stack.move();
  return {
    started,
    leftOut,
    pids: () => started.flatMap((side) => side.pids()),
    [Symbol.asyncDispose]: () => held.disposeAsync(),
  };
}

/** Its calls with this text, one after the other. */
export function echoes(side: Side, text: string, name = side.name): Contender {
  const args = { text };
  return oneByOne(
    name,
    () => side.echo(args),
    () => side.pids(),
  );
}

/** Its calls with this text, so many at a time. */
export function manyEchoes(side: Side, width: number, text: string): Contender {
  const args = { text };
  return manyAtOnce(
    side.name,
    width,
    () => side.echo(args),
    () => side.pids(),
  );
}

async function assertEcho(side: Side): Promise<void> {
  const text = 'to "be" given \u2603 back';
  const given = await side.echo({ text });
  if (given !== text) throw new Error(`It gave back ${JSON.stringify(given)}`);
}
