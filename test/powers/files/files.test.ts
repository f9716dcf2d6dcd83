import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { mount, namesIn, textOf } from "./a-mounted.ts";

test("what is written is read again, whole and in parts, as text and as bytes", async () => {
  await using files = mount();
  for (const place of ["a.txt", "/workspace/a.txt", "/home/a.txt", "/tmp/a.txt", "/capability/a.txt"]) {
    await files.write(place, "héllo 日本 😀");
    assert.equal(await files.text(place), "héllo 日本 😀");
  }
  await files.ask("write", { path: "b" }, Buffer.from([0, 255, 10, 13, 128, 7]));
  assert.deepEqual((await files.ask("readBytes", { path: "b", start: 1, length: 3 })).bytes, Buffer.from([255, 10, 13]));
  assert.deepEqual((await files.ask("readBytes", { path: "b", start: 4 })).bytes, Buffer.from([128, 7]));
  assert.equal((await files.ask("readBytes", { path: "b", start: 1000 })).bytes?.length, 0);
  assert.equal((await files.ask("readBytes", { path: "b", start: 2, length: 0 })).bytes?.length, 0);
});

test("text that is no UTF-8 is read with U+FFFD, marks and line ends stay, and bytes are as they are", async () => {
  await using files = mount();
  const bytes = Buffer.from([0xef, 0xbb, 0xbf, 0x41, 0xff, 0xc3, 0x0d, 0x0a]);
  await files.ask("write", { path: "odd" }, bytes);
  assert.equal(await files.text("odd"), "\ufeffA\ufffd\ufffd\r\n");
  assert.deepEqual((await files.ask("readBytes", { path: "odd" })).bytes, bytes);
});

test("folders are made with their parents, listed, moved, copied from and removed", async () => {
  await using files = mount();
  await files.ask("make", { path: "a/b/c" });
  await files.ask("make", { path: "a/b/c" });
  await files.write("a/b/x.txt", "x");
  await files.ask("copy", { from: "a/b/x.txt", to: "a/y.txt" });
  await files.ask("move", { from: "a/b", to: "d" });
  assert.deepEqual((await files.ask("list", { path: "." })).value, {
    entries: [
      { name: "a", type: "folder" },
      { name: "d", type: "folder" },
    ],
    isTruncated: false,
  });
  const { type, size, modifiedMs } = (await files.ask("stat", { path: "d/x.txt" })).value as {
    type: string;
    size: number;
    modifiedMs: number;
  };
  assert.deepEqual([type, size], ["file", 1]);
  assert(modifiedMs > 1e12);
  assert.equal(await files.refusal("remove", { path: "d" }), "ENOTEMPTY");
  assert.equal(await files.refusal("copy", { from: "d", to: "e" }), "EISDIR");
  assert.equal(await files.refusal("write", { path: "d" }, "x"), "EISDIR");
  assert.equal(await files.refusal("write", { path: "new/" }, "x"), "EISDIR");
  assert.equal(await files.refusal("move", { from: "a/y.txt", to: "d" }), "EISDIR");
  assert.equal(await files.refusal("move", { from: "d", to: "d/c/inside" }), "EINVAL");
  assert.equal(await files.refusal("move", { from: "d/x.txt", to: "/tmp/x.txt" }), "EXDEV");
  assert.equal(await files.refusal("list", { path: "d/x.txt" }), "ENOTDIR");
  assert.equal(await files.refusal("readText", { path: "d/x.txt/" }), "ENOTDIR");
  assert.equal(await files.refusal("write", { path: "d/x.txt", isNew: true }, "x"), "EEXIST");
  await files.ask("remove", { path: "d", isRecursive: true });
  assert.deepEqual(namesIn(await files.ask("list", { path: "/workspace" })), ["a"]);
});

test("without a grant there is no workspace and no home, and a grant to read is none to write", async () => {
  await using none = mount({ "workspace/a.txt": "a" }, { permissions: { workspace: "none", home: "none" } });
  for (const place of ["a.txt", "/home/a.txt", "no"]) {
    for (const op of ["readText", "list", "stat"]) assert.equal(await none.refusal(op, { path: place }), "PERMISSION_DENIED");
    assert.equal(await none.refusal("write", { path: place }, "x"), "PERMISSION_DENIED");
  }
  await none.write("/tmp/a.txt");
  await using read = mount({ "workspace/a.txt": "a" }, { permissions: { workspace: "read" } });
  assert.equal(await read.text("a.txt"), "a");
  for (const op of ["write", "append", "make", "remove"]) assert.equal(await read.refusal(op, { path: "a.txt" }, "x"), "PERMISSION_DENIED");
  assert.equal(await read.refusal("move", { from: "a.txt", to: "/tmp/a.txt" }), "PERMISSION_DENIED");
  assert.equal(await read.refusal("copy", { from: "a.txt", to: "b.txt" }), "PERMISSION_DENIED");
  await read.ask("copy", { from: "a.txt", to: "/tmp/a.txt" });
});

test("each operation is listed, with whether it changes anything and how it went", async () => {
  await using files = mount();
  await files.write("a.txt");
  await files.text("a.txt");
  await files.refusal("readText", { path: "/etc/passwd" });
  await files.ask("move", { from: "a.txt", to: "b.txt" });
  assert.deepEqual(files.effects, [
    { target: "a.txt", changes: true, state: "done" },
    { target: "a.txt", changes: false, state: "done" },
    { target: "/etc/passwd", changes: false, state: "refused" },
    { target: "a.txt", changes: true, state: "done" },
    { target: "b.txt", changes: true, state: "done" },
  ]);
});

test("who reads a file that two calls write at once reads all of one of them", async () => {
  await using files = mount();
  const [ones, twos] = ["1".repeat(300_000), "2".repeat(300_000)];
  await files.write("shared", ones);
  await using other = { ...files, [Symbol.asyncDispose]: () => Promise.resolve() };
  const writes = Array.from({ length: 40 }, (_, index) => other.write("shared", index % 2 === 0 ? ones : twos));
  const reads = Array.from({ length: 80 }, async () => {
    const text = await files.text("shared");
    assert(text === ones || text === twos, `A torn read of ${text.length} characters`);
  });
  await Promise.all([...writes, ...reads]);
  assert.deepEqual(fs.readdirSync(files.workspace), ["shared"]);
});

test("a file's mode stays when it is replaced, and one that is not writable stays as it is", async () => {
  await using files = mount({ "workspace/run.sh": "old", "workspace/fixed": "old" });
  fs.chmodSync(path.join(files.workspace, "run.sh"), 0o750);
  fs.chmodSync(path.join(files.workspace, "fixed"), 0o444);
  await files.write("run.sh", "new");
  assert.equal(fs.statSync(path.join(files.workspace, "run.sh")).mode & 0o777, 0o750);
  assert.equal(await files.refusal("write", { path: "fixed" }, "x"), "EACCES");
});

test("a read at its limit works, one over it is refused, and parts of a larger file are read", async () => {
  await using files = mount({ "workspace/at": "a".repeat(2000), "workspace/over": "a".repeat(2001) }, { limits: { readBytes: 2000 } });
  assert.equal((await files.text("at")).length, 2000);
  assert.equal(await files.refusal("readText", { path: "over" }), "POWER_LIMIT");
  assert.equal(await files.refusal("readBytes", { path: "over", length: 2001 }), "POWER_LIMIT");
  assert.equal(textOf(await files.ask("readText", { path: "over", start: 1 })).length, 2000);
  // A file that claims ten gigabytes costs what was asked for.
  fs.truncateSync(path.join(files.workspace, "over"), 10 * 2 ** 30);
  assert.equal(await files.refusal("readBytes", { path: "over" }), "POWER_LIMIT");
  assert.equal((await files.ask("readBytes", { path: "over", start: 9 * 2 ** 30, length: 10 })).bytes?.length, 10);
});

test("a file at its largest is written, and not made larger, by writing, by adding or by copying", async () => {
  await using files = mount({ "workspace/large": "a".repeat(2001) }, { limits: { fileBytes: 2000 } });
  await files.write("at", "a".repeat(2000));
  assert.equal(await files.refusal("write", { path: "over" }, "a".repeat(2001)), "POWER_LIMIT");
  assert.equal(await files.refusal("append", { path: "at" }, "a"), "POWER_LIMIT");
  assert.equal(await files.refusal("copy", { from: "large", to: "over" }), "POWER_LIMIT");
  assert.deepEqual(fs.readdirSync(files.workspace).sort(), ["at", "large"]);
});

test("a call writes as much as it may and no more", async () => {
  await using files = mount({}, { limits: { writtenBytes: 2000 } });
  await files.write("a", "a".repeat(1500));
  await files.ask("append", { path: "a" }, "a".repeat(500));
  assert.equal(await files.refusal("write", { path: "b" }, "a"), "POWER_LIMIT");
  assert.equal(await files.refusal("copy", { from: "a", to: "b" }), "POWER_LIMIT");
});

for (const place of ["/tmp", "/capability"]) {
  test(`what a capability holds in ${place} is counted, in bytes and in files, and room that is made is room again`, async () => {
    await using files = mount({}, { limits: { tempBytes: 2000, tempCount: 3 } });
    await files.write(`${place}/a`, "a".repeat(2000));
    assert.equal(await files.refusal("write", { path: `${place}/b` }, "a"), "POWER_LIMIT");
    assert.equal(await files.refusal("append", { path: `${place}/a` }, "a"), "POWER_LIMIT");
    await files.write(`${place}/a`, "a".repeat(1000));
    await files.write(`${place}/b`, "a".repeat(1000));
    await files.ask("remove", { path: `${place}/b` });
    await files.ask("make", { path: `${place}/c/d` });
    assert.equal(await files.refusal("make", { path: `${place}/e` }), "POWER_LIMIT");
    assert.equal(await files.refusal("write", { path: `${place}/e` }, ""), "POWER_LIMIT");
    await files.ask("remove", { path: `${place}/c`, isRecursive: true });
    await files.write(`${place}/e`, "");
  });
}

test("a listing is cut at its limit and says so", async () => {
  await using files = mount({ "workspace/a": "", "workspace/b": "", "workspace/c": "" }, { limits: { listCount: 2 } });
  const { entries, isTruncated } = (await files.ask("list", { path: "." })).value as { entries: unknown[]; isTruncated: boolean };
  assert.deepEqual([entries.length, isTruncated], [2, true]);
  fs.unlinkSync(path.join(files.workspace, "a"));
  assert.equal(((await files.ask("list", { path: "." })).value as { isTruncated: boolean }).isTruncated, false);
});

test("/tmp is a capability's own, is for its owner alone, and goes with the power", async () => {
  await using files = mount();
  await files.write("/tmp/a.txt", "mine");
  const other = { ...files.use, capability: "other" };
  await assert.rejects(files.power.perform({ op: "readText", args: { path: "/tmp/a.txt" }, bytes: null }, other), { code: "ENOENT" });
  const folders = fs
    .readdirSync("/tmp")
    .filter((name) => /^toolcell-[A-Za-z0-9]{6}$/u.test(name))
    .map((name) => path.join("/tmp", name));
  const mine = folders.filter((folder) => fs.existsSync(path.join(folder, "a.txt")));
  for (const folder of mine) assert.equal(fs.statSync(folder).mode & 0o777, 0o700);
  await files.power[Symbol.asyncDispose]();
  for (const folder of mine) assert(!fs.existsSync(folder));
  assert.equal(await files.refusal("readText", { path: "/tmp/a.txt" }), "ABORT_ERR");
});

test("what was made in /capability can be changed by the next engine too, and by none once the list is gone", async () => {
  await using files = mount({ "capability/index.ts": "code" });
  await files.write("/capability/own.txt", "1");
  await files.power[Symbol.asyncDispose]();
  const list = path.join(files.home, "data/demo/.toolcell-files.json");
  await using next = mount();
  const use = { ...next.use, places: { ...next.use.places, home: files.home, capability: files.capability } };
  await next.power.perform({ op: "write", args: { path: "/capability/own.txt" }, bytes: Buffer.from("2") }, use);
  await next.power[Symbol.asyncDispose]();
  fs.writeFileSync(list, "{");
  await using last = mount();
  await assert.rejects(last.power.perform({ op: "write", args: { path: "/capability/own.txt" }, bytes: Buffer.from("3") }, use), {
    code: "PERMISSION_DENIED",
  });
});

test("what is under way ends with its call", async () => {
  const ended = new AbortController();
  await using files = mount({}, { signal: ended.signal });
  await files.write("a.txt");
  ended.abort();
  assert.equal(await files.refusal("write", { path: "b.txt" }, "x"), "ABORT_ERR");
  assert.equal(await files.refusal("readBytes", { path: "a.txt" }), "ABORT_ERR");
  assert.deepEqual(fs.readdirSync(files.workspace), ["a.txt"]);
});

test("no descriptor stays open, whatever was refused", { skip: process.platform !== "linux" }, async () => {
  await using files = mount({ "workspace/a/b/c.txt": "c" });
  fs.symlinkSync("/etc", path.join(files.workspace, "out"));
  await files.text("a/b/c.txt");
  const before = fs.readdirSync("/proc/self/fd").length;
  for (let round = 0; round < 200; round += 1) {
    for (const place of ["a/b/c.txt", "a/../a/b/c.txt", "out/passwd", "a/no", "a/b/c.txt/x", "../x"])
      await files.ask("readText", { path: place }).catch(() => null);
    await files.ask("list", { path: "a/b" });
    await files.write("a/b/d.txt");
    await files.ask("move", { from: "a/b/d.txt", to: "a/e.txt" });
  }
  assert.equal(fs.readdirSync("/proc/self/fd").length, before);
});
