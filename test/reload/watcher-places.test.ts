import assert from "node:assert/strict";
import { mkdirSync, renameSync, rmSync, symlinkSync, unlinkSync, writeFileSync } from "node:fs";
import { describe, test } from "node:test";
import { watched, type Watched } from "./watched.ts";

const FILES = { "weather/index.ts": "1", "weather/lib/x.ts": "1" };

describe("capability folders", () => {
  test("that are made are told of as a change of their root, and watched from then on", async () => {
    await using made = await watched(FILES);
    made.write("caps/time/now.ts", "1");
    await made.told.next("root caps");
    await made.calm();
    await assertWatches(made, "caps/time/now.ts", "folder caps/time");
  });

  test("that are removed are told of, and their names may be taken again at once", async () => {
    await using made = await watched(FILES);
    for (let turn = 0; turn < 10; turn += 1) {
      rmSync(made.in("caps/weather"), { recursive: true });
      if (turn % 2 === 0) await made.told.next("root caps");
      made.write("caps/weather/index.ts", "1");
      await made.told.next(turn % 2 === 0 ? "root caps" : "folder caps/weather");
      await made.calm();
      await assertWatches(made, "caps/weather/index.ts", "folder caps/weather");
    }
  });

  test("moved away, with another moved in under the name, are told of as changed", async () => {
    await using made = await watched({ ...FILES, ".new/index.ts": "2" });
    renameSync(made.in("caps/weather"), made.in("caps/_old"));
    renameSync(made.in("caps/.new"), made.in("caps/weather"));
    await made.told.next("folder caps/weather");
    await made.calm();
    made.write("caps/_old/index.ts", "3");
    assert.deepEqual(await made.toldOf(), []);
    await assertWatches(made, "caps/weather/index.ts", "folder caps/weather");
  });

  test("that are renamed are told of, and watched under their new name", async () => {
    await using made = await watched(FILES);
    renameSync(made.in("caps/weather"), made.in("caps/climate"));
    await made.told.next("root caps");
    await made.calm();
    await assertWatches(made, "caps/climate/index.ts", "folder caps/climate");
  });

  test("that hold an entry of their own name are watched as before", async () => {
    await using made = await watched(FILES);
    made.write("caps/weather/weather", "1");
    made.write("caps/weather/weather", "2");
    assert.deepEqual(await made.toldOf(), []);
    rmSync(made.in("caps/weather/weather"));
    await made.calm();
    await assertWatches(made, "caps/weather/index.ts", "folder caps/weather");
  });

  test("that are hidden or start with an underscore are none, and a file beside them changes the list", async () => {
    await using made = await watched(FILES);
    made.write("caps/.git/index.ts", "1");
    made.write("caps/_drafts/index.ts", "1");
    assert.deepEqual(await made.toldOf(), []);
    made.write("caps/stray.txt", "1");
    await made.told.next("root caps");
    made.write("caps/stray.txt", "2");
    assert.deepEqual(await made.toldOf(), []);
  });
});

describe("links", () => {
  test("to a folder elsewhere are followed: a change there is told under the link's name", async () => {
    await using made = await linked();
    await assertWatches(made, "one/index.ts", "folder caps/weather");
    made.watcher.follow(made.in("caps/weather"), ["lib/x.ts"]);
    await made.watcher.refresh();
    await made.told.next("folder caps/weather");
    await assertWatches(made, "one/lib/x.ts", "folder caps/weather");
    made.write("one/one", "1");
    made.write("one/weather", "1");
    assert.deepEqual(await made.toldOf(), []);
  });

  test("that are turned to another folder are told of, and what they led to is not watched any more", async () => {
    await using made = await linked();
    unlinkSync(made.in("caps/weather"));
    symlinkSync(made.in("two"), made.in("caps/weather"));
    await made.told.next("root caps");
    await made.calm();
    made.write("one/index.ts", "2");
    assert.deepEqual(await made.toldOf(), []);
    await assertWatches(made, "two/index.ts", "folder caps/weather");
  });

  test("that lead nowhere for a while are told of twice", async () => {
    await using made = await linked();
    renameSync(made.in("one"), made.in("away"));
    await made.told.next("root caps");
    renameSync(made.in("away"), made.in("one"));
    await made.told.next("root caps");
    await made.calm();
    await assertWatches(made, "one/index.ts", "folder caps/weather");
  });

  test("whose folder is removed are told of at once, and not by the next look", async () => {
    await using made = await linked();
    const start = performance.now();
    for (let turn = 0; turn < 8; turn += 1) {
      rmSync(made.in("one"), { recursive: true });
      await made.told.next("root caps");
      mkdirSync(made.in("one"));
      await made.calm();
    }
    // Looks are a second apart.
    assert.ok(performance.now() - start < 6000);
  });

  test("among the folders above are looked at: one that is turned is told of", async () => {
    await using made = await linked();
    symlinkSync(made.in("three"), made.in("caps/far"));
    await made.told.next("root caps");
    await made.calm();
    unlinkSync(made.in("three"));
    symlinkSync(made.in("two"), made.in("three"));
    await made.told.next("folder caps/far");
    await made.calm();
    await assertWatches(made, "two/index.ts", "folder caps/far");
  });

  async function linked(): Promise<Watched> {
    const made = await watched({ "other/a.ts": "1" });
    for (const target of ["one", "two"]) for (const file of ["index.ts", "lib/x.ts"]) made.write(`${target}/${file}`, "1");
    symlinkSync(made.in("one"), made.in("three"));
    symlinkSync(made.in("one"), made.in("caps/weather"));
    await made.told.next("root caps");
    await made.calm();
    return made;
  }
});

describe("a root", () => {
  const LATER = { roots: [{ path: "later/caps", isOptional: true }] };

  test("that is made later is told of, with nothing said of it before where it is optional", async () => {
    await using made = await watched(FILES, LATER);
    assert.deepEqual(made.told.rest(), []);
    made.write("later/caps/time/now.ts", "1");
    await made.told.next("root later/caps");
    await made.calm();
    await assertWatches(made, "later/caps/time/now.ts", "folder later/caps/time");
  });

  test("that is made is told of at once where a refresh is asked for", async () => {
    await using made = await watched(FILES, LATER);
    made.write("later/caps/time/now.ts", "1");
    await made.watcher.refresh();
    assert.deepEqual(made.told.rest(), ["root later/caps"]);
  });

  test("that is not there is named where it is not optional, once", async () => {
    await using made = await watched(FILES, { roots: [{ path: "absent", isOptional: false }] });
    assert.deepEqual(made.told.rest(), ["trouble absent: There is no such folder: its capabilities are read once it is made"]);
    mkdirSync(made.in("absent"));
    await made.told.next("root absent");
    assert.deepEqual(await made.toldOf(), []);
  });

  test("that is removed, and made again at once, is told of and watched", async () => {
    await using made = await watched(FILES);
    for (let turn = 0; turn < 10; turn += 1) {
      rmSync(made.in("caps"), { recursive: true });
      made.write("caps/weather/index.ts", "1");
      await made.told.next("folder caps/weather");
      await made.calm();
      await assertWatches(made, "caps/weather/index.ts", "folder caps/weather");
    }
  });

  test("that is removed, becomes a file and then a folder again is told of each time, and the other root is unharmed", async () => {
    await using made = await watched(FILES);
    rmSync(made.in("caps"), { recursive: true });
    assert.match(await made.told.next("trouble caps"), /: This folder is gone, and its capabilities with it/u);
    await made.told.next("root caps");
    writeFileSync(made.in("caps"), "");
    assert.match(await made.told.next("trouble caps"), /: It is a file/u);
    assert.deepEqual(
      (await made.toldOf()).filter((what) => !what.startsWith("root caps")),
      [],
    );
    rmSync(made.in("caps"));
    made.write("caps/weather/index.ts", "1");
    await made.told.next("root caps");
    await made.calm();
    await assertWatches(made, "caps/weather/index.ts", "folder caps/weather");
  });

  test("that is moved away, with another moved in, is told of with its folders", async () => {
    await using made = await watched(FILES);
    made.write("new/weather/index.ts", "1");
    made.write("new/time/now.ts", "1");
    renameSync(made.in("caps"), made.in("old"));
    renameSync(made.in("new"), made.in("caps"));
    await made.told.next("folder caps/weather");
    await made.calm();
    await assertWatches(made, "caps/time/now.ts", "folder caps/time");
    made.write("old/weather/index.ts", "2");
    assert.deepEqual(await made.toldOf(), []);
  });

  test("that is moved away with the folder around it is told of", async () => {
    await using made = await watched(FILES, LATER);
    made.write("later/caps/time/now.ts", "1");
    await made.told.next("root later/caps");
    await made.calm();
    renameSync(made.in("later"), made.in("gone"));
    assert.match(await made.told.next("trouble later/caps"), /: This folder is gone/u);
    await made.told.next("root later/caps");
  });

  test("given twice is watched once", async () => {
    await using made = await watched(FILES, { roots: [{ path: "caps/", isOptional: false }] });
    await assertWatches(made, "caps/weather/index.ts", "folder caps/weather");
  });
});

/** The file's change is told, and nothing else. */
async function assertWatches(made: Watched, file: string, what: string): Promise<void> {
  made.write(file, "anew");
  assert.deepEqual(await made.toldOf(), [what]);
}
