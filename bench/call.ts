import { mkdtempSync, rmSync, writeFileSync, mkdirSync } from "node:fs";
import { availableParallelism, cpus, release, tmpdir } from "node:os";
import { join } from "node:path";
import { createEngine } from "toolcell";
import { Floor } from "./floor.ts";
import { compare, type Comparison, type Contender } from "./rounds.ts";

// What a call and a power cost, against the bare floor: two processes, two pipes, an isolate, JSON and nothing else.
// Times are this machine's at this hour; only the ratios, taken round by round with both sides in turn, say something.
const ROUNDS = 15;
const MiB = 1024 * 1024;

const TOOLS = `
export const NAME = "bench_echo";
export const DESCRIPTION = "Gives its text back.";
export const INPUT_SCHEMA = { type: "object", properties: { text: { type: "string" } }, required: ["text"] };
export const run = (context, { text }) => text;
`;
const POWER = `
export const NAME = "bench_power";
export const DESCRIPTION = "Uses a power many times.";
export const INPUT_SCHEMA = { type: "object", properties: { count: { type: "integer" }, file: { type: "string" } }, required: ["count"] };
export async function run(context, { count, file }) {
  if (file) { for (let i = 0; i < count; i++) if ((await context.fs.readBytes(file)).length === 0) throw new Error("empty"); }
  else for (let i = 0; i < count; i++) await context.storage.get("key");
  return "done";
}
`;

const folder = mkdtempSync(join(tmpdir(), "toolcell-bench-"));
mkdirSync(join(folder, "capabilities", "bench"), { recursive: true });
writeFileSync(join(folder, "capabilities", "bench", "index.js"), `export const PERMISSIONS = { storage: true, workspace: "read" };\n`);
writeFileSync(join(folder, "capabilities", "bench", "echo.js"), TOOLS);
writeFileSync(join(folder, "capabilities", "bench", "power.js"), POWER);
mkdirSync(join(folder, "workspace"));
writeFileSync(join(folder, "workspace", "ten.bin"), Buffer.alloc(10 * MiB, 7));
try {
  await using floor = await Floor.start();
  await using engine = await createEngine({
    home: join(folder, "home"),
    workspace: join(folder, "workspace"),
    capabilities: [join(folder, "capabilities")],
    policy: { grant: () => true },
    limits: { powerCount: 1_000_000 },
  });
  const call = async (name: string, args: object): Promise<void> => {
    const { ok, text } = await engine.call(name, args);
    if (!ok) throw new Error(text);
  };
  const small = JSON.stringify({ tool: "echo", args: { text: "x".repeat(100) } });
  const large = JSON.stringify({ text: "x".repeat(10 * MiB) });
  const bare: Contender = { name: "bare round trip", run: (count) => repeat(count, () => floor.call(small)) };
  const bareLarge: Contender = { name: "bare round trip of 10 MiB", run: (count) => repeat(count, () => floor.call(large)) };
  const warm: Contender = { name: "warm call", run: (count) => repeat(count, () => call("bench_echo", { text: "x".repeat(100) })) };
  const power: Contender = { name: "power call", run: (count) => call("bench_power", { count }) };
  const file: Contender = { name: "file of 10 MiB read", run: (count) => call("bench_power", { count, file: "/workspace/ten.bin" }) };
  print([await compare(bare, warm, ROUNDS, 500), await compare(bare, power, ROUNDS, 500), await compare(bareLarge, file, ROUNDS, 3)]);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

async function repeat(count: number, once: () => Promise<unknown>): Promise<void> {
  for (let run = 0; run < count; run += 1) await once();
}

function print(comparisons: readonly Comparison[]): void {
  console.log(
    `${cpus()[0]?.model ?? "unknown"}, ${availableParallelism()} cores, ${process.platform} ${release()}, Node ${process.version}`,
  );
  console.log(`${ROUNDS} rounds, both sides in turn; medians, and the middle half of the ratios\n`);
  for (const { name, baseline, contender, ratio, spread } of comparisons) {
    console.log(
      `${name.padEnd(52)} ${ratio.toFixed(2)}  (${spread.map((end) => end.toFixed(2)).join(" to ")})   ${baseline.toFixed(0)} us, ${contender.toFixed(0)} us`,
    );
  }
}
