import { spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Contender } from "../src/bench/contender.ts";
import { runRounds } from "../src/bench/rounds.ts";
import { makeBenchFolder } from "./capabilities.ts";
import { runScope, type Measured } from "./scope.ts";

// What listing costs: a process of its own makes an engine over so many capabilities and asks for its tools. Fresh: nothing is
// known of them. Cached: all of them are as they were. Beside both, a process that reads every file once. Left out: starting
// Node and importing the package.

const COUNTS = [10, 100, 1000];
// Fifteen rounds of a fresh thousand take minutes, and a thousand times one is what they come to.
const MOST_FRESH = 100;
const ROUNDS = 15;
const PROGRAM = fileURLToPath(import.meta.url);

if (process.argv[2] === "list") await list(process.argv[3] ?? "", process.argv[4] ?? "");
else if (process.argv[2] === "read") readAll(process.argv[3] ?? "");
else await runScope("registry", measure);

async function measure(isQuick: boolean): Promise<Measured> {
  const counts = isQuick ? COUNTS.slice(0, 1) : COUNTS;
  const names = (count: number): { readonly fresh: string; readonly cached: string; readonly read: string } => ({
    fresh: `${count} listed, fresh`,
    cached: `${count} listed, cached`,
    read: `${count} read, file by file`,
  });
  using stack = new DisposableStack();
  const contenders = counts.flatMap((count) => {
    const folder = stack.use(makeBenchFolder());
    const capabilities = join(folder.path, "capabilities");
    makeCapabilities(capabilities, count);
    let home = "";
    let homes = 0;
    const { fresh, cached, read } = names(count);
    const makeHome = (): string => {
      home = join(folder.path, `home-${homes++}`);
      mkdirSync(home);
      return home;
    };
    return [
      ...(count > MOST_FRESH ? [] : [apart(fresh, () => ["list", capabilities, makeHome()])]),
      // Of whichever listing was made last; whatever the order, the first round of all is not counted.
      apart(cached, () => ["list", capabilities, home === "" ? makeHome() : home]),
      apart(read, () => ["read", capabilities]),
    ];
  });
  const rows = await runRounds(contenders, { rounds: ROUNDS, warmUps: 1, turnMs: 0, least: 1, most: 1 });
  return {
    about: "an engine made over so many capabilities of two tools, and its tools listed",
    rows,
    asks: counts.flatMap((count) => {
      const { fresh, cached, read } = names(count);
      return [
        { id: `cached-fresh-${count}`, figure: "p50", of: cached, against: [fresh] },
        { id: `cached-read-${count}`, figure: "p50", of: cached, against: [read] },
        { id: `fresh-read-${count}`, figure: "p50", of: fresh, against: [read] },
      ] as const;
    }),
    leftOut: counts
      .filter((count) => count > MOST_FRESH)
      .map((count) => ({ name: names(count).fresh, reason: "Fifteen rounds of it take minutes" })),
  };
}

/** What a process of its own tells it took. */
function apart(name: string, args: () => readonly string[]): Contender {
  const run: Contender["run"] = async (count, note) => {
    for (let made = 0; made < count; made += 1) {
      const { status, stdout } = spawnSync(process.execPath, [PROGRAM, ...args()], {
        encoding: "utf8",
        stdio: ["ignore", "pipe", "inherit"],
      });
      if (status !== 0) throw new Error(`The listing ended with ${status ?? "a signal"}`);
      note(Number(stdout) * 1000);
    }
  };
  return { name, run, isPaced: true };
}

async function list(capabilities: string, home: string): Promise<void> {
  const { createEngine } = await import("toolcell");
  const begun = performance.now();
  await using engine = await createEngine({ home, workspace: home, capabilities: [capabilities], watch: false, log: () => undefined });
  if (engine.tools().length === 0) throw new Error("There is no tool");
  process.stdout.write(String(performance.now() - begun));
}

function readAll(folder: string): void {
  const begun = performance.now();
  for (const file of readdirSync(folder, { recursive: true, withFileTypes: true }))
    if (file.isFile()) readFileSync(join(file.parentPath, file.name), "utf8");
  process.stdout.write(String(performance.now() - begun));
}

/** Each with an index and two tools, every third with a file that both import. */
function makeCapabilities(folder: string, count: number): void {
  for (let index = 0; index < count; index += 1) {
    const capability = join(folder, `bench_${index}`);
    mkdirSync(capability, { recursive: true });
    writeFileSync(
      join(capability, "index.ts"),
      `export const LABEL = "Bench ${index}";\nexport const PERMISSIONS = { network: ["api${index}.example.com"] };\n`,
    );
    const hasShared = index % 3 === 0;
    if (hasShared)
      writeFileSync(join(capability, "_shared.ts"), `export const toText = (value: number): string => value.toFixed(${index % 7});\n`);
    for (const name of ["first", "second"]) writeFileSync(join(capability, `${name}.ts`), toolSource(`${name}_${index}`, index, hasShared));
  }
}

function toolSource(name: string, index: number, hasShared: boolean): string {
  return `import { ToolError, type ToolContext, type ToolResult } from "toolcell/tool";
${hasShared ? 'import { toText } from "./_shared.ts";\n' : "const toText = String;\n"}
export const NAME = "${name}";
export const DESCRIPTION = "Counts the days at a place, for ${name}.";
export const INPUT_SCHEMA = {
  type: "object",
  properties: { place: { type: "string", description: "The place" }, days: { type: "integer", minimum: 1, maximum: ${index + 1} } },
  required: ["place"],
} as const;
export async function run(context: ToolContext, { place, days = 1 }: { place: string; days?: number }): Promise<ToolResult> {
  if (!place.trim()) throw new ToolError("${name} needs a place.");
  return { text: place + ": " + toText(days * ${index}) };
}
`;
}
