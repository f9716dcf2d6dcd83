import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { CANARY, mount } from "./a-mounted.ts";

const DENIED = "PERMISSION_DENIED";
const READS = ["readText", "readBytes", "list", "stat"] as const;

test("names that other programs take code or trust from are not written, moved, copied to or removed, however they are spelt", async () => {
  await using files = mount({ "workspace/proj/.git/hooks/x": "x", "workspace/proj/node_modules/a/index.js": "1", "workspace/a.txt": "a" });
  fs.symlinkSync("proj/.git", path.join(files.workspace, "harmless"));
  const names = [
    ".git/hooks/pre-commit",
    ".git",
    ".npmrc",
    "node_modules/x/index.js",
    ".bashrc",
    ".ssh/authorized_keys",
    ".env",
    ".env.local",
  ];
  const ours = [".vscode/tasks.json", ".github/workflows/x.yml", ".hg/hgrc", ".envrc", ".mcp.json", "proj/.git/hooks/x"];
  const spelt = [
    ".GIT/config",
    ".Git",
    ".g\u200cit/config",
    "\uff0egit/config",
    ".git./config",
    ".git ",
    "GIT~1/x",
    ".git::$INDEX_ALLOCATION/x",
  ];
  for (const name of [...names, ...ours, ...spelt, "NODE_MODULES/x", ".G\u0131T/../.git/x"]) {
    for (const op of ["write", "append", "make", "remove"]) assert.equal(await files.refusal(op, { path: name }, "x"), DENIED, name);
    for (const op of ["move", "copy"]) assert.equal(await files.refusal(op, { from: "a.txt", to: name }), DENIED, name);
    assert.equal(await files.refusal("move", { from: name, to: "b" }), DENIED, name);
  }
  for (const op of ["write", "append", "remove"]) assert.equal(await files.refusal(op, { path: "harmless/hooks/x" }, "x"), DENIED, op);
  // Nor does a folder go that has one of them in it, while another name for it is harmless.
  assert.equal(await files.refusal("remove", { path: "proj", isRecursive: true }), DENIED);
  await files.ask("remove", { path: "harmless" });
  assert.equal(await files.text("proj/.git/hooks/x"), "x");
  assert.equal(await files.text("proj/node_modules/a/index.js"), "1");
  await files.write("/tmp/.npmrc", "free");
});

test("a workspace that contains the engine's home does not show it, and code in it is not changed", async () => {
  const code: string[] = [];
  await using files = mount({ "home/secrets.json": CANARY, "caps/one/index.ts": "code" }, { workspace: ".", codeFolders: () => code });
  code.push(path.join(files.base, "caps"));
  fs.symlinkSync("home", path.join(files.base, "alias"));
  for (const file of ["home", "home/secrets.json", "alias/secrets.json", "home/files"])
    for (const op of READS) assert.equal(await files.refusal(op, { path: file }), DENIED, file);
  for (const file of ["home", "alias/x"]) assert.equal(await files.refusal("write", { path: file }, "x"), DENIED, file);
  assert.equal(await files.refusal("move", { from: "home", to: "mine" }), DENIED);
  assert.equal(await files.refusal("remove", { path: "home", isRecursive: true }), DENIED);
  assert.equal(await files.text("caps/one/index.ts"), "code");
  for (const file of ["caps/one/index.ts", "caps/two.ts", "capability/x.ts"])
    assert.equal(await files.refusal("write", { path: file }, "x"), DENIED, file);
  for (const from of ["caps", "caps/one", "capability"]) {
    assert.equal(await files.refusal("move", { from, to: "elsewhere" }), DENIED, from);
    assert.equal(await files.refusal("remove", { path: from, isRecursive: true }), DENIED, from);
  }
  await using own = mount({ "home/secrets.json": CANARY }, { workspace: "home" });
  assert.equal(await own.refusal("readText", { path: "secrets.json" }), DENIED);
  assert.equal(await own.refusal("list", { path: "." }), DENIED);
});

test("the engine's own files are not under /home", async () => {
  await using files = mount({ "home/secrets.json": CANARY, "home/grants.json": CANARY, "home/logs/x": CANARY });
  for (const file of ["secrets.json", "grants.json", "logs/x"]) {
    assert.equal(await files.refusal("readText", { path: `/home/${file}` }), "ENOENT");
    assert.equal(await files.refusal("readText", { path: `/home/../${file}` }), DENIED);
  }
  await files.write("/home/notes.txt", "kept");
  assert.equal(fs.readFileSync(path.join(files.home, "files/notes.txt"), "utf8"), "kept");
});

test("what belongs to the package, and what is code, is not changed in /capability", async () => {
  await using files = mount({ "capability/index.ts": "code", "capability/data.json": "{}", "capability/assets/a.txt": "a" });
  assert.equal(await files.text("/capability/index.ts"), "code");
  for (const file of [
    "index.ts",
    "data.json",
    "assets/a.txt",
    "assets",
    "new.ts",
    "new.MJS",
    "x.cjs",
    "x.node",
    "x.wasm",
    "package.json",
    "PACKAGE.json",
    "node_modules/x/a.txt",
    "x.ts.",
  ]) {
    for (const op of ["write", "append", "remove"])
      assert.match(
        await files.refusal(op, { path: `/capability/${file}`, isRecursive: true }, "x"),
        /^(?:PERMISSION_DENIED|ENOENT)$/u,
        file,
      );
    assert.equal(await files.refusal("write", { path: `/capability/${file}` }, "x"), DENIED, file);
  }
  await files.write("/capability/own.txt", "1");
  await files.write("/capability/own.txt", "2");
  await files.ask("append", { path: "/capability/own.txt" }, "3");
  await files.ask("make", { path: "/capability/mine/deep" });
  await files.write("/capability/mine/deep/x.txt", "x");
  assert.equal(await files.refusal("move", { from: "/capability/own.txt", to: "/capability/own.ts" }), DENIED);
  assert.equal(await files.refusal("move", { from: "/capability/own.txt", to: "/capability/data.json" }), DENIED);
  assert.equal(await files.refusal("move", { from: "/capability/assets", to: "/capability/mine/assets" }), DENIED);
  await files.ask("move", { from: "/capability/mine", to: "/capability/moved" });
  assert.equal(await files.text("/capability/moved/deep/x.txt"), "x");
  // A file that came from elsewhere keeps its folder.
  fs.writeFileSync(path.join(files.capability, "moved/foreign.txt"), "f");
  assert.equal(await files.refusal("remove", { path: "/capability/moved", isRecursive: true }), DENIED);
  fs.unlinkSync(path.join(files.capability, "moved/foreign.txt"));
  await files.ask("remove", { path: "/capability/moved", isRecursive: true });
  assert.deepEqual(fs.readdirSync(files.capability).sort(), ["assets", "data.json", "index.ts", "own.txt"]);
});
