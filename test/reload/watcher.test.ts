import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import {
  appendFileSync,
  closeSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
  unlinkSync,
  utimesSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { describe, test } from "node:test";
import { watched, type Watched } from "./watched.ts";

const FILES = { "weather/index.ts": "1", "weather/get.ts": "1", "other/a.ts": "1" };

describe("a save", () => {
  const saves: readonly (readonly [how: string, save: (file: string, made: Watched) => void])[] = [
    ["in place", (file) => writeFileSync(file, "new")],
    ["by appending", (file) => appendFileSync(file, "new")],
    [
      "into a file beside it that is moved over it",
      (file) => {
        writeFileSync(`${file}.tmp`, "new");
        renameSync(`${file}.tmp`, file);
      },
    ],
    [
      "from another folder by a move",
      (file, made) => {
        made.write("elsewhere.ts", "new");
        renameSync(made.in("elsewhere.ts"), file);
      },
    ],
    [
      "by removing it and making it anew",
      (file) => {
        unlinkSync(file);
        writeFileSync(file, "new");
      },
    ],
    [
      "as vim does, with a trial file and a backup",
      (file) => {
        writeFileSync(file.replace("get.ts", "4913"), "");
        unlinkSync(file.replace("get.ts", "4913"));
        renameSync(file, `${file}~`);
        writeFileSync(file, "new");
        unlinkSync(`${file}~`);
      },
    ],
    [
      "with the size and the time it had",
      (file) => {
        const { atime, mtime } = statSync(file);
        writeFileSync(file, "2");
        utimesSync(file, atime, mtime);
      },
    ],
    [
      "with a time long past, as where a clock was set back",
      (file) => {
        writeFileSync(file, "new");
        utimesSync(file, 1, 1);
      },
    ],
    ["by leaving it empty", (file) => writeFileSync(file, "")],
    ["by removing it", (file) => rmSync(file)],
  ];
  for (const [how, save] of saves) {
    test(`${how} is told, and once`, async () => {
      await using made = await watched(FILES);
      save(made.in("caps/weather/get.ts"), made);
      assert.deepEqual(await made.toldOf(), ["folder caps/weather"]);
    });
  }

  test("made by a checkout of another branch is told", { skip: spawnSync("git", ["--version"]).status !== 0 && "needs git" }, async () => {
    await using made = await watched(FILES);
    const git = (...words: string[]): void => {
      const identity = ["-c", "user.name=a", "-c", "user.email=a@example.com"];
      const { status, stderr } = spawnSync("git", [...identity, ...words], { cwd: made.in("caps"), encoding: "utf8" });
      assert.equal(status, 0, stderr);
    };
    git("init", "-q", "-b", "one");
    git("add", ".");
    git("commit", "-q", "-m", "one");
    git("checkout", "-q", "-b", "two");
    made.write("caps/weather/get.ts", "two");
    git("commit", "-q", "-a", "-m", "two");
    await made.calm();
    git("checkout", "-q", "one");
    assert.deepEqual(await made.toldOf(), ["folder caps/weather"]);
  });

  test("that comes in halves is told again when it is whole", async () => {
    await using made = await watched(FILES);
    const file = openSync(made.in("caps/weather/get.ts"), "w");
    writeSync(file, "half ");
    await made.told.next("folder caps/weather");
    writeSync(file, "and whole");
    await made.told.next("folder caps/weather");
    closeSync(file);
  });
});

describe("what is not code", () => {
  test("is not told of: caches, downloads, folders, hidden and temporary files", async () => {
    await using made = await watched(FILES);
    for (const name of [
      "cache.json",
      "README.md",
      ".get.ts.swp",
      "get.ts~",
      "get.ts.123.tmp",
      "a.tsx",
      "data/x.ts",
      "node_modules/x/index.js",
    ])
      made.write(`caps/weather/${name}`, "1");
    made.write("caps/weather/data/x.ts", "2");
    rmSync(made.in("caps/weather/cache.json"));
    assert.deepEqual(await made.toldOf(), []);
  });

  test("does not keep what is from being told", async () => {
    await using made = await watched(FILES);
    for (const name of ["a.ts", "b.mts", "c.js", "d.mjs", "package.json", "_helpers.ts"]) {
      made.write("caps/weather/cache.json", name);
      made.write(`caps/weather/${name}`, "1");
      assert.deepEqual(await made.toldOf(), ["folder caps/weather"], name);
    }
  });
});

describe("followed files", () => {
  const WITH_LIB = {
    ...FILES,
    "weather/lib/deep/x.ts": "1",
    "weather/lib/other.ts": "1",
    "weather/data/big.json": "1",
    "weather/node_modules/other/index.js": "1",
  };
  const FOLLOWED = ["index.ts", "lib/deep/x.ts", "lib/late/y.ts", "data/big.json", "node_modules/pack/index.js"];

  async function following(): Promise<Watched> {
    const made = await watched(WITH_LIB);
    made.watcher.follow(made.in("caps/weather"), FOLLOWED);
    // What may have been written before the watch began.
    await made.told.next("folder caps/weather");
    await made.calm();
    return made;
  }

  test("count in sub-folders, whatever their ending, and what is beside them does not", async () => {
    await using made = await following();
    for (const file of ["lib/deep/x.ts", "data/big.json"]) {
      made.write(`caps/weather/${file}`, "2");
      assert.deepEqual(await made.toldOf(), ["folder caps/weather"], file);
    }
    for (const file of ["lib/other.ts", "lib/deep/other.ts", "data/small.json", "node_modules/other/index.js"])
      made.write(`caps/weather/${file}`, "2");
    assert.deepEqual(await made.toldOf(), []);
  });

  test("that were looked for in vain count once they are made, and from then on", async () => {
    await using made = await following();
    for (const file of ["lib/late/y.ts", "node_modules/pack/index.js"]) {
      made.write(`caps/weather/${file}`, "1");
      await made.told.next("folder caps/weather");
      await made.calm();
      made.write(`caps/weather/${file}`, "2");
      assert.deepEqual(await made.toldOf(), ["folder caps/weather"], file);
    }
  });

  test("count in a sub-folder that was replaced whole", async () => {
    await using made = await following();
    made.write("caps/weather/new/deep/x.ts", "2");
    renameSync(made.in("caps/weather/lib"), made.in("caps/weather/old"));
    renameSync(made.in("caps/weather/new"), made.in("caps/weather/lib"));
    await made.told.next("folder caps/weather");
    await made.calm();
    made.write("caps/weather/old/deep/x.ts", "3");
    assert.deepEqual(await made.toldOf(), []);
    made.write("caps/weather/lib/deep/x.ts", "3");
    assert.deepEqual(await made.toldOf(), ["folder caps/weather"]);
  });

  test("are told of once more only where following them began a watch", async () => {
    await using made = await following();
    made.watcher.follow(made.in("caps/weather"), FOLLOWED);
    await made.watcher.refresh();
    assert.deepEqual(await made.toldOf(), []);
  });

  test("count no more once they are forgotten, nor where they point out of the folder", async () => {
    await using made = await following();
    made.watcher.forget(made.in("caps/weather"));
    made.watcher.follow(made.in("caps/other"), ["../../outside.ts", "/outside.ts", "..", ".", ""]);
    made.write("caps/weather/lib/deep/x.ts", "2");
    made.write("caps/weather/data/big.json", "2");
    made.write("outside.ts", "2");
    assert.deepEqual(await made.toldOf(), []);
  });

  test("may be named before their folder is there", async () => {
    await using made = await watched(FILES);
    made.watcher.follow(made.in("caps/later"), ["lib/x.ts"]);
    made.write("caps/later/lib/x.ts", "1");
    await made.told.next("root caps");
    await made.calm();
    made.write("caps/later/lib/x.ts", "2");
    assert.deepEqual(await made.toldOf(), ["folder caps/later"]);
  });
});
