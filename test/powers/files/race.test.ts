import assert from "node:assert/strict";
import { fork } from "node:child_process";
import { once } from "node:events";
import fs from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { CANARY, mount, textOf } from "./a-mounted.ts";

const SWAPPER = new URL("./swapper.ts", import.meta.url).pathname;
const ROUNDS = 250;

// The race between looking and opening: another process puts links out of the mount where folders and files have been.
test(
  "nothing is read, written, listed or removed outside while folders are swapped for links",
  { skip: process.platform !== "linux" },
  async () => {
    await using files = mount({ "workspace/door/leaf.txt": "inside", "outside/sub/keep.txt": CANARY });
    const swapper = fork(SWAPPER, [files.workspace, files.outside]);
    using killed = { [Symbol.dispose]: () => swapper.kill("SIGKILL") };
    await once(swapper, "message");
    const before = snapshot(files.outside);
    const seen = new Map<string, number>();
    const attempts: (() => Promise<unknown>)[] = [
      async () => assert.doesNotMatch(await files.text("door/leaf.txt"), /canary/u),
      async () => assert.doesNotMatch(await files.text("door/canary.txt"), /canary/u),
      async () => assert.doesNotMatch(textOf(await files.ask("readText", { path: "door/new/canary.txt" })), /canary/u),
      async () => assert(!JSON.stringify(await files.ask("list", { path: "door" })).includes("canary")),
      async () => assert(!JSON.stringify(await files.ask("list", { path: "door/new" })).includes("keep")),
      () => files.ask("stat", { path: "door/canary.txt" }).then(() => assert.fail("It was seen")),
      () => files.write("door/landed.txt", "landed"),
      () => files.write("door/new/landed.txt", "landed"),
      () => files.write("door/leaf.txt", "landed"),
      () => files.ask("append", { path: "door/leaf.txt" }, "landed"),
      () => files.ask("make", { path: "door/new/landed/deep" }),
      () => files.ask("copy", { from: "door/leaf.txt", to: "door/new/copied.txt" }),
      () => files.ask("move", { from: "door/leaf.txt", to: "door/new/moved.txt" }),
      () => files.ask("remove", { path: "door/new", isRecursive: true }),
      () => files.ask("remove", { path: "door/new/keep.txt" }),
      () => files.ask("remove", { path: "door/sub", isRecursive: true }),
    ];
    for (let round = 0; round < ROUNDS; round += 1) {
      await Promise.all(
        attempts.map(async (attempt) => {
          await attempt().then(
            () => count(seen, "done"),
            (error: { code?: string }) => {
              if (error instanceof assert.AssertionError) throw error;
              count(seen, error.code ?? "none");
            },
          );
        }),
      );
    }
    const swaps = once(swapper, "message");
    swapper.kill("SIGTERM");
    const [swapped] = (await swaps) as [number];
    assert.deepEqual(snapshot(files.outside), before);
    void killed;
    assert(swapped > 2000, `There were only ${swapped} swaps`);
    assert((seen.get("PERMISSION_DENIED") ?? 0) > 0 && (seen.get("done") ?? 0) > 0, JSON.stringify([...seen]));
  },
);

function count(seen: Map<string, number>, what: string): void {
  seen.set(what, (seen.get(what) ?? 0) + 1);
}

function snapshot(folder: string): string[] {
  return fs
    .readdirSync(folder, { recursive: true, encoding: "utf8" })
    .sort()
    .map((name) => {
      const file = path.join(folder, name);
      return fs.statSync(file).isFile() ? `${name}: ${fs.readFileSync(file, "utf8")}` : name;
    });
}
