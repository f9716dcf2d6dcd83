import type { Contender } from "./contender.ts";
import { cpuMicrosOf } from "./processes.ts";
import { toTimes, type Times } from "./statistics.ts";

/** What one contender did in one round: times in microseconds, CPU time of host and cell together, calls a second. */
export interface Figures extends Times {
  /** For one call. Null where the system does not tell. */
  readonly cpu: number | null;
  /** Null where it waits between calls. */
  readonly rate: number | null;
}

/** One contender in all rounds. */
export interface Row {
  readonly name: string;
  readonly unit: "us" | "MiB";
  readonly callsARound: number;
  /** Of every call of every round. */
  readonly times: Times;
  readonly rounds: readonly Figures[];
}

export interface Plan {
  readonly rounds: number;
  /** Rounds that come first, with turns four times as long, and are not counted: a long path takes thousands of calls to be compiled. */
  readonly warmUps: number;
  /** About how long a contender's turn is to take: it sets how many calls that is, between the two counts. */
  readonly turnMs: number;
  readonly least: number;
  readonly most: number;
  readonly signal?: AbortSignal;
  readonly unit?: Row["unit"];
}

interface Turn {
  readonly values: readonly number[];
  /** Calls in a second, with whatever came between them. */
  readonly pace: number;
  readonly figures: Figures;
}

const WARM_UP_TURNS = 4;

/**
 * Runs all contenders in every round, in another order each time: whatever the machine does meanwhile happens to all of them,
 * and none always comes after the same one. No round and no call is dropped. Throws what a contender throws, and the signal's
 * reason.
 */
export async function runRounds(contenders: readonly Contender[], plan: Plan): Promise<readonly Row[]> {
  const counts = contenders.map(() => plan.least);
  const turns = contenders.map((): Turn[] => []);
  for (let round = -plan.warmUps; round < plan.rounds; round += 1) {
    for (const index of orderOf(round + plan.warmUps, contenders.length)) {
      plan.signal?.throwIfAborted();
      const contender = contenders[index];
      if (contender === undefined) throw new RangeError("An order names a contender that is none");
      const count = counts[index] ?? plan.least;
      if (round >= 0) turns[index]?.push(await takeTurn(contender, count));
      else counts[index] = fitting(plan, await takeTurn(contender, count * (round === -plan.warmUps ? 1 : WARM_UP_TURNS)));
    }
  }
  return contenders.map(({ name }, index) => toRow(name, plan.unit ?? "us", counts[index] ?? plan.least, turns[index] ?? []));
}

/** Each begins once in as many rounds as there are of them, and every second round goes the other way about. */
export function orderOf(round: number, count: number): readonly number[] {
  const order = Array.from({ length: count }, (_, place) => (place + round) % count);
  return round % 2 === 0 ? order : order.reverse();
}

async function takeTurn(contender: Contender, count: number): Promise<Turn> {
  const values: number[] = [];
  const cpuOf = (): number | null => (contender.pids === undefined ? null : cpuMicrosOf(contender.pids()));
  const childrenBefore = cpuOf();
  const hostBefore = process.cpuUsage();
  const begun = performance.now();
  await contender.run(count, (value) => values.push(value));
  const seconds = (performance.now() - begun) / 1000;
  const { user, system } = process.cpuUsage(hostBefore);
  const children = cpuOf();
  const cpu = children === null || childrenBefore === null ? null : (user + system + children - childrenBefore) / count;
  const pace = count / seconds;
  return { values, pace, figures: { ...toTimes(values), cpu, rate: contender.isPaced === true ? null : pace } };
}

function fitting({ turnMs, least, most }: Plan, { pace }: Turn): number {
  return Math.max(least, Math.min(most, Math.round((pace * turnMs) / 1000)));
}

function toRow(name: string, unit: Row["unit"], callsARound: number, turns: readonly Turn[]): Row {
  return { name, unit, callsARound, times: toTimes(turns.flatMap(({ values }) => values)), rounds: turns.map(({ figures }) => figures) };
}
