import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import fs from "node:fs";
import net from "node:net";
import path from "node:path";
import { test } from "node:test";
import { CANARY, mount, namesIn } from "./a-mounted.ts";

const DENIED = "PERMISSION_DENIED";
const READS = ["readText", "readBytes", "list", "stat"] as const;
const WAYS = process.platform === "linux" ? (["descriptors", "paths"] as const) : (["paths"] as const);

for (const way of WAYS) {
  test(`a path that leads up and out is denied, by ${way}`, async () => {
    await using files = mount({ "workspace/a/b.txt": "b" }, { way });
    const up = [
      "../outside/canary.txt",
      "a/../../outside/canary.txt",
      "/workspace/../outside/canary.txt",
      "/etc/passwd",
      "..",
      "a/../..",
      "/",
    ];
    for (const file of [
      ...up,
      `/var/..${files.outside}/canary.txt`,
      "../workspace/a/b.txt",
      "/proc/self/environ",
      "/dev/zero",
      "/workspacex",
    ]) {
      for (const op of READS) assert.equal(await files.refusal(op, { path: file }), DENIED, file);
      assert.equal(await files.refusal("write", { path: file }, "x"), DENIED, file);
      for (const op of ["remove", "make"]) assert.equal(await files.refusal(op, { path: file }), DENIED, file);
      assert.equal(await files.refusal("copy", { from: file, to: "copy" }), DENIED, file);
      assert.equal(await files.refusal("move", { from: "a", to: file }), DENIED, file);
    }
    assert.equal(await files.text("a/../a/./b.txt"), "b");
  });

  test(`a folder whose name merely begins like the mount's is outside, by ${way}`, async () => {
    await using files = mount({}, { way });
    fs.symlinkSync(path.join(files.base, "workspace-evil"), path.join(files.workspace, "evil"));
    assert.equal(await files.refusal("readText", { path: "../workspace-evil/canary.txt" }), DENIED);
    assert.equal(await files.refusal("readText", { path: "evil/canary.txt" }), DENIED);
  });

  test(`a link that leads out is denied for every operation, whatever stands behind it, by ${way}`, async () => {
    await using files = mount({ "workspace/deep/x.txt": "x" }, { way });
    const { workspace, outside } = files;
    fs.symlinkSync(outside, path.join(workspace, "folder"));
    fs.symlinkSync("../outside", path.join(workspace, "relative"));
    fs.symlinkSync(path.join(outside, "canary.txt"), path.join(workspace, "file"));
    fs.symlinkSync("file", path.join(workspace, "chain"));
    fs.symlinkSync("deep/../../outside/canary.txt", path.join(workspace, "winding"));
    fs.symlinkSync(path.join(outside, "nothing"), path.join(workspace, "nothing"));
    fs.symlinkSync("/proc/self/environ", path.join(workspace, "environ"));
    fs.symlinkSync("/dev/fd/0", path.join(workspace, "stdin"));
    const messages = new Set<string>();
    for (const link of [
      "folder",
      "relative",
      "file",
      "chain",
      "winding",
      "nothing",
      "environ",
      "stdin",
      "folder/canary.txt",
      "relative/x",
      "folder/no/such",
    ]) {
      for (const op of READS) {
        await assert.rejects(files.ask(op, { path: link }), (error: { code: string; message: string }) => {
          messages.add(error.message);
          return error.code === DENIED;
        });
      }
      for (const op of ["write", "append"]) assert.equal(await files.refusal(op, { path: link }, "x"), DENIED, link);
      assert.equal(await files.refusal("make", { path: `${link}/new` }), DENIED, link);
      assert.equal(await files.refusal("copy", { from: link, to: "got" }), DENIED, link);
      assert.equal(await files.refusal("copy", { from: "deep/x.txt", to: link }), DENIED, link);
      assert.equal(await files.refusal("move", { from: "deep/x.txt", to: `${link}/x` }), DENIED, link);
    }
    // What is outside is told apart by nothing: neither by the kind of error nor by its words.
    assert.equal(messages.size, 1);
    assert.deepEqual(fs.readdirSync(outside), ["canary.txt"]);
    assert.equal(fs.readFileSync(path.join(outside, "canary.txt"), "utf8"), CANARY);
  });

  test(`a link that stays inside is followed, and removing it leaves what it leads to, by ${way}`, async () => {
    await using files = mount({ "workspace/a/b.txt": "b" }, { way });
    fs.symlinkSync("a", path.join(files.workspace, "link"));
    fs.symlinkSync(path.join(files.workspace, "a/b.txt"), path.join(files.workspace, "absolute"));
    assert.equal(await files.text("link/b.txt"), "b");
    assert.equal(await files.text("link/../link/b.txt"), "b");
    await files.write("absolute", "new");
    assert.equal(fs.readFileSync(path.join(files.workspace, "a/b.txt"), "utf8"), "new");
    assert(fs.lstatSync(path.join(files.workspace, "absolute")).isSymbolicLink());
    await files.ask("remove", { path: "link", isRecursive: true });
    assert.equal(await files.text("a/b.txt"), "new");
  });

  test(`nothing is written through a link that leads to nothing, by ${way}`, async () => {
    await using files = mount({}, { way });
    fs.symlinkSync("not-yet", path.join(files.workspace, "dangling"));
    for (const op of ["write", "append", "make"]) assert.equal(await files.refusal(op, { path: "dangling" }, "x"), DENIED);
    assert(!fs.existsSync(path.join(files.workspace, "not-yet")));
  });

  test(`links that lead round in a circle end, by ${way}`, async () => {
    await using files = mount({}, { way });
    fs.symlinkSync("b", path.join(files.workspace, "a"));
    fs.symlinkSync("a", path.join(files.workspace, "b"));
    fs.symlinkSync("x/x", path.join(files.workspace, "x"));
    for (const file of ["a", "x", "a/b"]) assert.equal(await files.refusal("readText", { path: file }), "ELOOP");
  });

  test(`a second name of a file is neither read nor written, by ${way}`, async () => {
    await using files = mount({}, { way });
    fs.linkSync(path.join(files.outside, "canary.txt"), path.join(files.workspace, "hard"));
    for (const op of ["readText", "write", "append"]) assert.equal(await files.refusal(op, { path: "hard" }, "x"), DENIED);
    assert.equal(await files.refusal("copy", { from: "hard", to: "got" }), DENIED);
    assert.equal(fs.readFileSync(path.join(files.outside, "canary.txt"), "utf8"), CANARY);
  });

  test(`what is no regular file is not opened, by ${way}`, { skip: process.platform === "win32" }, async () => {
    await using files = mount({}, { way });
    spawnSync("mkfifo", [path.join(files.workspace, "fifo")]);
    await using server = net.createServer().listen(path.join(files.workspace, "socket"));
    for (const file of ["fifo", "socket"]) {
      for (const op of ["readText", "write", "append"]) assert.equal(await files.refusal(op, { path: file }, "x"), DENIED, file);
    }
    void server;
  });

  test(`the mount itself stays, by ${way}`, async () => {
    await using files = mount({ "workspace/a/b.txt": "b" }, { way });
    for (const file of ["/workspace", ".", "a/..", "/workspace/", "/tmp", "/home", "/capability"]) {
      assert.equal(await files.refusal("remove", { path: file, isRecursive: true }), DENIED, file);
      assert.equal(
        await files.refusal("move", { from: file, to: "elsewhere" }),
        file.startsWith("/") && !file.startsWith("/work") ? "EXDEV" : DENIED,
        file,
      );
    }
    assert.equal(await files.text("a/b.txt"), "b");
  });

  test(`removing a folder follows no link in it, by ${way}`, async () => {
    await using files = mount({ "workspace/a/b/c.txt": "c" }, { way });
    fs.symlinkSync(files.outside, path.join(files.workspace, "a/out"));
    fs.symlinkSync("..", path.join(files.workspace, "a/b/loop"));
    await files.ask("remove", { path: "a", isRecursive: true });
    assert.deepEqual(fs.readdirSync(files.workspace), []);
    assert.deepEqual(fs.readdirSync(files.outside), ["canary.txt"]);
  });

  test(`a workspace that is gone, or another, is an error and nothing else, by ${way}`, async () => {
    await using files = mount({ "workspace/a.txt": "a" }, { way });
    assert.equal(await files.text("a.txt"), "a");
    fs.renameSync(files.workspace, `${files.workspace}-old`);
    for (const op of READS) assert.equal(await files.refusal(op, { path: "a.txt" }), "ESTALE");
    assert.equal(await files.refusal("write", { path: "a.txt" }, "x"), "ESTALE");
    fs.symlinkSync(files.outside, files.workspace);
    assert.equal(await files.refusal("readText", { path: "canary.txt" }), "ESTALE");
    fs.unlinkSync(files.workspace);
    fs.mkdirSync(files.workspace);
    assert.equal(await files.refusal("write", { path: "a.txt" }, "x"), "ESTALE");
    assert.deepEqual(fs.readdirSync(files.workspace), []);
    assert.equal(fs.readFileSync(`${files.workspace}-old/a.txt`, "utf8"), "a");
  });

  test(`a workspace that is itself a link is the folder behind it, by ${way}`, async () => {
    await using files = mount({}, { way, workspace: "linked" });
    fs.symlinkSync("workspace", path.join(files.base, "linked"));
    await files.write("a.txt", "a");
    assert.equal(fs.readFileSync(path.join(files.base, "workspace/a.txt"), "utf8"), "a");
    fs.symlinkSync(path.join(files.base, "linked/a.txt"), path.join(files.base, "workspace/by-link"));
    fs.symlinkSync(path.join(files.base, "workspace/a.txt"), path.join(files.base, "workspace/by-name"));
    assert.deepEqual([await files.text("by-link"), await files.text("by-name")], ["a", "a"]);
  });
}

test("a path that is no string is refused and not converted", async () => {
  await using files = mount();
  for (const value of [0, 1, null, true, [], ["a"], {}, { toString: "a" }, { href: "file:///etc/passwd" }])
    for (const op of READS) assert.equal(await files.refusal(op, { path: value }), "ERR_INVALID_ARG_TYPE");
  assert.equal(await files.refusal("readText", {}), "ERR_INVALID_ARG_TYPE");
  for (const start of ["1", -1, 0.5, 2 ** 60, null, [1]]) {
    if (start !== null) assert.equal(await files.refusal("readText", { path: "a", start }), "ERR_INVALID_ARG_TYPE");
  }
});

test("NUL bytes, half characters, empty, over-long and endless paths are refused", async () => {
  await using files = mount();
  const refusals = [
    ["a\0b", "ERR_INVALID_ARG_VALUE"],
    ["\ud800", "ERR_INVALID_ARG_VALUE"],
    ["", "ENOENT"],
    ["a".repeat(256), "ENAMETOOLONG"],
    ["é".repeat(128), "ENAMETOOLONG"],
    ["a/".repeat(5000), "ENAMETOOLONG"],
    ["a/".repeat(500), "ENAMETOOLONG"],
    ["/".repeat(5000), "ENAMETOOLONG"],
  ] as const;
  for (const [file, code] of refusals) {
    for (const op of READS) assert.equal(await files.refusal(op, { path: file }), code);
    for (const op of ["write", "make", "remove"]) assert.equal(await files.refusal(op, { path: file }, "x"), code);
  }
});

test("encoded dots, backslashes, drives, tildes and URLs are names like others", { skip: process.platform === "win32" }, async () => {
  await using files = mount();
  for (const name of ["%2e%2e", "..\\..\\x", "~", "$HOME", "C:", "\\\\host\\share", "a.txt:stream", "CON", "dot.", "space ", "..."]) {
    await files.write(name, name);
    assert.equal(await files.text(name), name);
    assert.equal(fs.readFileSync(path.join(files.workspace, name), "utf8"), name);
  }
  assert.equal(await files.refusal("readText", { path: "file:///etc/passwd" }), "ENOENT");
  assert.equal(await files.refusal("readText", { path: "~/x" }), "ENOTDIR");
});

test("names are the same only when every byte is", { skip: process.platform !== "linux" }, async () => {
  await using files = mount();
  await files.write("caf\u00e9", "one");
  await files.write("cafe\u0301", "two");
  await files.write("CAF\u00c9", "three");
  assert.equal(namesIn(await files.ask("list", { path: "." })).length, 3);
  assert.equal(await files.text("caf\u00e9"), "one");
});
