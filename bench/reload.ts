import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { createEngine } from "toolcell";

/** What a save costs: the time from the write to the first answer of the new code, in milliseconds, in order of size. */
export interface ReloadTimes {
  readonly saves: readonly number[];
  /** The same wait with nothing to reload: a file is written, read back, and a warm call made. */
  readonly floors: readonly number[];
}

/** Saves a tool `count` times while callers never pause, and takes the time until its new code answers. */
export async function measureReload(count: number): Promise<ReloadTimes> {
  const folder = mkdtempSync(join(tmpdir(), "toolcell-reload-"));
  const [demo, beside] = [join(folder, "capabilities", "demo"), join(folder, "beside.js")];
  mkdirSync(demo, { recursive: true });
  save(join(demo, "ask.js"), 0);
  const [saves, floors]: [number[], number[]] = [[], []];
  try {
    await using engine = await createEngine({ home: join(folder, "home"), capabilities: [join(folder, "capabilities")] });
    await engine.call("ask");
    for (let version = 1; version <= count; version += 1) {
      await pause(Math.random() * 30);
      let begun = performance.now();
      save(beside, version);
      await engine.call("ask");
      floors.push(performance.now() - begun);
      begun = performance.now();
      save(join(demo, "ask.js"), version);
      while ((await engine.call("ask")).text !== `${version}`);
      saves.push(performance.now() - begun);
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  return { saves: saves.sort((a, b) => a - b), floors: floors.sort((a, b) => a - b) };
}

function save(file: string, version: number): void {
  writeFileSync(
    file,
    `export const NAME = "ask";\nexport const DESCRIPTION = "Says its version.";\nexport const run = () => "${version}";\nexport const unload = () => undefined;\n`,
  );
}

/** Of numbers in order, the one below which this share of them lies. */
export function quantile(ordered: readonly number[], share: number): number {
  return ordered[Math.min(ordered.length - 1, Math.floor(ordered.length * share))] ?? NaN;
}

if (import.meta.main) {
  const { saves, floors } = await measureReload(200);
  for (const [name, times] of [
    ["save to answer", saves],
    ["write and a warm call", floors],
  ] as const)
    console.log(name.padEnd(24), [0.5, 0.95, 0.99].map((share) => `p${share * 100} ${quantile(times, share).toFixed(1)} ms`).join("  "));
}
