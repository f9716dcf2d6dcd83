import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { array, assert as assertProperty, asyncProperty, boolean, constantFrom, oneof, string, tuple } from "fast-check";
import { PowerError } from "../../../src/powers/power.ts";
import { CANARY, mount, type Mounted } from "./a-mounted.ts";

const RUNS = 24_000;

const PARTS = [
  "..",
  ".",
  "",
  "...",
  "a",
  "b",
  "c.txt",
  "out",
  "out2",
  "up",
  "loop",
  "abs",
  "in",
  "deep",
  "canary.txt",
  "outside",
  "workspace",
  "workspace-evil",
  "etc",
  "passwd",
  "proc",
  "self",
  "root",
  "cwd",
  "fd",
  "0",
  "dev",
  "home",
  "tmp",
  "capability",
  "secrets.json",
  "%2e%2e",
  "..%2f",
  "..\\",
  "\\..\\",
  "~",
  "C:",
  ".git",
  ".GIT",
  "\u202e",
  "\uff0e\uff0e",
  "..\u200b",
  "\u2024\u2024",
  ".. ",
  "..;",
  "files",
];
const separator = constantFrom("/", "/", "/", "//", "/./", "\\", "/../");
const part = oneof({ arbitrary: constantFrom(...PARTS), weight: 12 }, { arbitrary: string({ unit: "binary", maxLength: 4 }), weight: 1 });
const start = constantFrom("", "", "/", "/workspace/", "/tmp/", "/home/", "/capability/", "/workspace/../", "//", "./", "../");
const guestPath = tuple(start, array(tuple(part, separator), { minLength: 1, maxLength: 8 }), boolean()).map(([first, rest, isOpen]) => {
  const joined = first + rest.map(([name, slash]) => name + slash).join("");
  return isOpen ? joined : joined.replace(/[/\\]$/u, "");
});
const operation = constantFrom("readText", "readBytes", "list", "stat", "write", "append", "make", "move", "copy", "remove");

// Traversal by every trick that a path can hold, over a real tree with links out of it.
test(`of ${RUNS} paths none reads, lists, writes or removes anything outside`, async () => {
  await using files = mount({
    "home/secrets.json": CANARY,
    "home/hidden-in-home": CANARY,
    "workspace/a/b/c.txt": "c",
    "capability/index.ts": "code",
  });
  plant(files);
  const before = snapshot(files);
  let told = 0;
  await assertProperty(
    asyncProperty(operation, guestPath, guestPath, async (op, first, second) => {
      const args = op === "move" || op === "copy" ? { from: first, to: second } : { path: first, isRecursive: op === "remove" };
      const answer = await files.ask(op, args, op === "write" || op === "append" ? "written" : undefined).catch((error: unknown) => {
        assert(error instanceof PowerError, String(error));
        assert(!error.message.includes(files.base), error.message);
        return null;
      });
      if (answer === null) return;
      told += 1;
      const seen = `${JSON.stringify(answer.value)} ${answer.bytes?.toString("utf8") ?? ""}`;
      assert(
        !seen.includes(CANARY) && !seen.includes("canary-in-a-folder") && !seen.includes("hidden-in-home"),
        `${op} ${first} ${second}`,
      );
      // What was moved or removed is planted again: the tree stays one that is worth attacking.
      if (op === "move" || op === "remove") plant(files);
    }),
    { numRuns: RUNS, seed: 20261130 },
  );
  assert.deepEqual(snapshot(files), before);
  assert(told > RUNS / 20, `Only ${told} of the paths led anywhere`);
});

function plant({ workspace, outside, base }: Mounted): void {
  fs.mkdirSync(path.join(workspace, "a/b/deep"), { recursive: true });
  attempt(() => fs.writeFileSync(path.join(workspace, "a/b/c.txt"), "c", { flag: "wx" }));
  attempt(() => fs.writeFileSync(path.join(outside, "canary-in-a-folder"), CANARY, { flag: "wx" }));
  const links = {
    out: outside,
    out2: "../outside",
    up: "..",
    loop: "loop",
    abs: "/",
    in: "a/b",
    "a/out": "../../outside",
    "a/b/up": "../../..",
    "a/in": path.join(base, "workspace/a"),
  };
  for (const [name, target] of Object.entries(links)) attempt(() => fs.symlinkSync(target, path.join(workspace, name)));
  attempt(() => fs.symlinkSync(path.join(outside, "canary.txt"), path.join(workspace, "c.txt")));
}

function attempt(step: () => void): void {
  try {
    step();
  } catch {
    // It stands already, or a folder of that name does.
  }
}

function snapshot({ base, home, capability }: Mounted): string[] {
  const folders = [path.join(base, "outside"), path.join(base, "workspace-evil"), capability];
  const found = folders.flatMap((folder) =>
    fs.readdirSync(folder, { recursive: true, encoding: "utf8" }).map((name) => path.join(folder, name)),
  );
  // In /capability new files are the guest's right; what was there is not.
  const kept = found.filter((file) => !file.startsWith(capability) || file.endsWith("index.ts"));
  return [...kept, path.join(home, "secrets.json")]
    .sort()
    .map((file) => `${file}: ${fs.lstatSync(file).isFile() ? fs.readFileSync(file, "utf8") : ""}`);
}
