import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { oneByOne, type Contender } from "../src/bench/contender.ts";
import { runRounds } from "../src/bench/rounds.ts";
import { call, makeBenchFolder } from "./capabilities.ts";
import { floor } from "./floors.ts";
import { callPlan, runScope, type Measured } from "./scope.ts";
import { echoes, startSides } from "./side.ts";
import { childPids } from "../src/bench/processes.ts";

// What it costs a running tool to ask the host for something: the same two pipes as a call, the other way about. One call asks
// many times, and a time is the call's, in equal parts.

const MiB = 1024 * 1024;
const FILE_BYTES = 1 * MiB;
const INDEX = `export const PERMISSIONS = { storage: true, workspace: "read" };\n`;
const POWER = `export const NAME = "bench_power";
export const DESCRIPTION = "Uses a power many times.";
export const INPUT_SCHEMA = { type: "object", properties: { count: { type: "integer" }, kind: { enum: ["nothing", "storage", "file"] } }, required: ["count", "kind"] };
export async function run(context, { count, kind }) {
  for (let i = 0; i < count; i++) {
    if (kind === "storage") await context.storage.get("key");
    else if (kind === "file" && (await context.fs.readBytes("/workspace/whole.bin")).length === 0) throw new Error("empty");
  }
  return "done";
}
`;
const [STORAGE, FILE] = ["a value of storage, asked for", "a file of 1 MiB, read"];

async function measure(isQuick: boolean): Promise<Measured> {
  await using others = await startSides([floor]);
  const [bare] = others.started;
  if (bare === undefined) throw new Error(others.leftOut[0]?.reason);
  using folder = makeBenchFolder();
  folder.add("bench", { "index.js": INDEX, "power.js": POWER });
  writeFileSync(join(folder.workspace, "whole.bin"), Buffer.alloc(FILE_BYTES, 7));
  await using engine = await folder.start({ limits: { powerCount: 1_000_000 } });
  const pids = (): readonly number[] => childPids().filter((pid) => !others.pids().includes(pid));
  const power = (name: string, kind: string): Contender => ({
    name,
    pids,
    run: async (count, note) => {
      const begun = performance.now();
      await call(engine, "bench_power", { count, kind });
      note(((performance.now() - begun) * 1000) / count);
    },
  });
  const large = `${floor.name}, 1 MiB`;
  const warm = oneByOne("warm call that asks for nothing", () => call(engine, "bench_power", { count: 1, kind: "nothing" }), pids);
  const rows = await runRounds(
    [warm, echoes(bare, "x".repeat(100)), echoes(bare, "x".repeat(FILE_BYTES), large), power(STORAGE, "storage"), power(FILE, "file")],
    callPlan(isQuick),
  );
  return {
    about: "what a running tool asks the host for, one after the other",
    rows,
    asks: [
      { id: "p50-storage-floor", figure: "p50", of: STORAGE, against: [floor.name] },
      { id: "cpu-storage-floor", figure: "cpu", of: STORAGE, against: [floor.name] },
      { id: "p50-file-floor", figure: "p50", of: FILE, against: [large] },
      { id: "p50-storage-call", figure: "p50", of: STORAGE, against: [warm.name] },
    ],
  };
}

if (import.meta.main) await runScope("power", measure);
