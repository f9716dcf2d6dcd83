import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { availableParallelism, cpus, release, tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

// What listing costs: a process of its own makes an engine over so many capabilities and asks for its tools. Fresh: nothing is
// known of them. Cached: all of them are as they were. Left out: starting Node and importing the package. Times are this
// machine's at this hour; what says something is how they grow, and how far cached is from fresh.
const COUNTS = [10, 100, 1000];
const ROUNDS = 3;

interface Listing {
  readonly listMs: number;
  readonly residentBytes: number;
  readonly toolCount: number;
}

if (process.argv[2] === "list") await list(process.argv[3] ?? "", process.argv[4] ?? "");
else compareCounts();

async function list(capabilities: string, home: string): Promise<void> {
  const { createEngine } = await import("toolcell");
  const startedAt = performance.now();
  await using engine = await createEngine({ home, workspace: home, capabilities: [capabilities], log: () => undefined });
  const toolCount = engine.tools().length;
  const listing: Listing = { listMs: performance.now() - startedAt, residentBytes: process.memoryUsage.rss(), toolCount };
  process.stdout.write(JSON.stringify(listing));
}

function compareCounts(): void {
  process.stdout.write(
    `${cpus()[0]?.model ?? "unknown"}, ${availableParallelism()} cores, ${process.platform} ${release()}, Node ${process.version}\n`,
  );
  process.stdout.write(`medians of ${ROUNDS} rounds, each in a process of its own\n\n`);
  for (const count of COUNTS) {
    const folder = mkdtempSync(join(tmpdir(), "toolcell-bench-"));
    try {
      makeCapabilities(join(folder, "capabilities"), count);
      const rounds = Array.from({ length: ROUNDS }, (_, round) => {
        const home = join(folder, `home-${round}`);
        mkdirSync(home);
        return { fresh: listApart(join(folder, "capabilities"), home), cached: listApart(join(folder, "capabilities"), home) };
      });
      print(
        count,
        rounds.map(({ fresh }) => fresh),
        rounds.map(({ cached }) => cached),
      );
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  }
}

function listApart(capabilities: string, home: string): Listing {
  const { status, stdout } = spawnSync(process.execPath, [fileURLToPath(import.meta.url), "list", capabilities, home], {
    encoding: "utf8",
    stdio: ["ignore", "pipe", "inherit"],
  });
  if (status !== 0) throw new Error(`The listing ended with ${status ?? "a signal"}`);
  return JSON.parse(stdout) as Listing;
}

function print(count: number, fresh: readonly Listing[], cached: readonly Listing[]): void {
  const [freshMs, cachedMs] = [median(fresh.map(({ listMs }) => listMs)), median(cached.map(({ listMs }) => listMs))];
  const mebibytes = (listings: readonly Listing[]): string =>
    (median(listings.map(({ residentBytes }) => residentBytes)) / 1024 ** 2).toFixed(0);
  process.stdout.write(
    `${String(count).padStart(5)} capabilities, ${fresh[0]?.toolCount ?? 0} tools: fresh ${freshMs.toFixed(0)} ms (${(freshMs / count).toFixed(2)} each, ${mebibytes(fresh)} MiB), ` +
      `cached ${cachedMs.toFixed(0)} ms (${(cachedMs / count).toFixed(2)} each, ${mebibytes(cached)} MiB)\n`,
  );
}

function median(values: readonly number[]): number {
  return values.toSorted((left, right) => left - right)[Math.floor(values.length / 2)] ?? 0;
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
    const hasHelper = index % 3 === 0;
    if (hasHelper)
      writeFileSync(join(capability, "_helper.ts"), `export const toText = (value: number): string => value.toFixed(${index % 7});\n`);
    for (const name of ["first", "second"]) writeFileSync(join(capability, `${name}.ts`), toolSource(`${name}_${index}`, index, hasHelper));
  }
}

function toolSource(name: string, index: number, hasHelper: boolean): string {
  return `import { ToolError, type ToolContext, type ToolResult } from "toolcell/tool";
${hasHelper ? 'import { toText } from "./_helper.ts";\n' : "const toText = String;\n"}
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
