import { linkSync, mkdirSync, renameSync, rmSync, symlinkSync, unlinkSync, writeFileSync } from "node:fs";
import path from "node:path";

/** Swaps `<workspace>/door` for links to `<outside>` and back until it is killed: a folder, a link, a file and a hard link in turn. */
const [workspace = "", outside = ""] = process.argv.slice(2);
const door = path.join(workspace, "door");
const away = path.join(workspace, "away");
const leaf = path.join(door, "leaf.txt");

process.send?.("ready");
let count = 0;
process.on("SIGTERM", () => {
  process.send?.(count, () => process.exit(0));
});
setImmediate(function swap() {
  for (let round = 0; round < 50; round += 1) {
    count += 1;
    attempt(() => renameSync(door, away));
    attempt(() => symlinkSync(outside, door));
    attempt(() => unlinkSync(door));
    attempt(() => renameSync(away, door));
    attempt(() => unlinkSync(leaf));
    attempt(() =>
      count % 2 === 0 ? symlinkSync(path.join(outside, "canary.txt"), leaf) : linkSync(path.join(outside, "canary.txt"), leaf),
    );
    attempt(() => unlinkSync(leaf));
    attempt(() => writeFileSync(leaf, "inside"));
    attempt(() => rmSync(path.join(door, "new"), { recursive: true, force: true }));
    attempt(() => symlinkSync(outside, path.join(door, "new")));
    attempt(() => unlinkSync(path.join(door, "new")));
    attempt(() => mkdirSync(path.join(door, "new")));
  }
  setImmediate(swap);
});

function attempt(step: () => void): void {
  try {
    step();
  } catch {
    // The other side has made a step of its own.
  }
}
