import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import type { Contender } from "../src/bench/contender.ts";
import { runRounds } from "../src/bench/rounds.ts";
import { makeBenchFolder } from "./capabilities.ts";
import { runScope, type Measured } from "./scope.ts";

// What a save costs: the time from the write to the first answer of the new code, while callers never pause; beside it the same
// wait with nothing to reload: a file is written, and a warm call made.

const [SAVE, NOTHING] = ["save to answer", "write and a warm call"];
const ROUNDS = 15;
// A save at a random moment of the watcher's own rhythm, and not always right after the last.
const APART_MS = 30;

async function measure(isQuick: boolean): Promise<Measured> {
  using folder = makeBenchFolder();
  const [demo, beside] = [join(folder.path, "capabilities", "demo"), join(folder.path, "beside.js")];
  mkdirSync(demo);
  save(join(demo, "ask.js"), 0);
  await using engine = await folder.start({ watch: true });
  await engine.call("ask");
  let version = 0;
  const saving: Contender = again(SAVE, async () => {
    version += 1;
    save(join(demo, "ask.js"), version);
    while ((await engine.call("ask")).text !== String(version));
  });
  const nothing = again(NOTHING, async () => {
    save(beside, version);
    await engine.call("ask");
  });
  const each = isQuick ? 2 : 8;
  const rows = await runRounds([saving, nothing], { rounds: ROUNDS, warmUps: 1, turnMs: 0, least: each, most: each });
  return {
    about: "from a save to the first answer of the new code",
    rows,
    asks: [{ id: "p50-nothing", figure: "p50", of: SAVE, against: [NOTHING] }],
  };
}

function again(name: string, act: () => Promise<void>): Contender {
  return {
    name,
    isPaced: true,
    run: async (count, note) => {
      for (let made = 0; made < count; made += 1) {
        await pause(Math.random() * APART_MS);
        const begun = performance.now();
        await act();
        note((performance.now() - begun) * 1000);
      }
    },
  };
}

function save(file: string, version: number): void {
  writeFileSync(
    file,
    `export const NAME = "ask";\nexport const DESCRIPTION = "Says its version.";\nexport const run = () => "${version}";\nexport const unload = () => undefined;\n`,
  );
}

if (import.meta.main) await runScope("reload", measure);
