import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { chmodSync, chownSync, mkdirSync } from "node:fs";
import path from "node:path";
import { describe, test } from "node:test";
import { makeTempFolder, writeFiles } from "../support/capabilities.ts";
import { watched, watchingProcess } from "./watched.ts";

const FILES = { "caps/open/a.ts": "1", "caps/shut/a.ts": "1" };
const NOBODY = 65_534;

describe("a folder that may not be read", { skip: process.platform === "win32" && "it has other permissions" }, () => {
  // An administrator may read everything: the process that watches is somebody else's then.
  const identity = process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {};

  test("is named once, the others are watched, and so is it once it may be read", async () => {
    using temp = makeTempFolder();
    writeFiles(temp.path, FILES);
    if ("uid" in identity) chownSync(temp.path, NOBODY, NOBODY);
    const shut = path.join(temp.path, "caps/shut");
    chmodSync(shut, 0o000);
    await using watching = watchingProcess(path.join(temp.path, "caps"), identity);
    const { told } = watching;
    assert.equal(
      await told.next(""),
      "trouble caps/shut: It cannot be read (EACCES): check its permissions. It is tried again every second",
    );
    assert.equal(await told.next(""), "ready");
    writeFiles(temp.path, { "caps/open/a.ts": "2" });
    assert.equal(await told.next(""), "folder caps/open");
    chmodSync(shut, 0o755);
    await told.next("folder caps/shut");
    writeFiles(temp.path, { "caps/open/a.ts": "3" });
    await told.next("folder caps/open");
    writeFiles(temp.path, { "caps/shut/a.ts": "3" });
    await told.next("folder caps/shut");
    // Named again when it happens again.
    chmodSync(shut, 0o000);
    await told.next("folder caps/shut");
    chmodSync(shut, 0o755);
  });

  test("is named where it is a root, and its folders are watched once it may be read", async () => {
    using temp = makeTempFolder();
    writeFiles(temp.path, FILES);
    if ("uid" in identity) chownSync(temp.path, NOBODY, NOBODY);
    chmodSync(path.join(temp.path, "caps"), 0o000);
    await using watching = watchingProcess(path.join(temp.path, "caps"), identity);
    assert.match(await watching.told.next(""), /^trouble caps: It cannot be read \(EACCES\)/u);
    assert.equal(await watching.told.next(""), "ready");
    chmodSync(path.join(temp.path, "caps"), 0o755);
    await watching.told.next("root caps");
    writeFiles(temp.path, { "caps/open/a.ts": "2" });
    assert.equal(await watching.told.next("folder"), "folder caps/open");
  });
});

/** Runs a shell line first, as the administrator of a namespace of its own. */
const within = (line: string): string[] => ["unshare", "--user", "--map-root-user", "--mount", "sh", "-c", `${line} && exec "$0" "$@"`];
const [unshare = "", ...words] = within("true");
const hasNamespaces = spawnSync(unshare, [...words, "true"]).status === 0;

describe("a system", { skip: !hasNamespaces && "needs Linux's user namespaces" }, () => {
  const shortages = [
    ["without watches", "echo 2 > /proc/sys/user/max_inotify_watches", /^trouble caps\/\w+: The system has no watches left \(ENOSPC\)/u],
    ["without watchers", "echo 0 > /proc/sys/user/max_inotify_instances", /^trouble caps: Too many files are open \(EMFILE\)/u],
  ] as const;
  for (const [what, line, trouble] of shortages) {
    test(`${what} has each folder that misses one named, and looked at once a second`, async () => {
      using temp = makeTempFolder();
      writeFiles(temp.path, FILES);
      await using watching = watchingProcess(path.join(temp.path, "caps"), { under: within(line) });
      assert.match(await watching.told.next("trouble"), trouble);
      await watching.told.next("ready");
      for (const folder of ["caps/open", "caps/shut"]) {
        writeFiles(temp.path, { [`${folder}/a.ts`]: "2" });
        assert.equal(await watching.told.next("folder"), `folder ${folder}`);
      }
      writeFiles(temp.path, { "caps/open/cache.json": "2" });
      writeFiles(temp.path, { "caps/shut/new.ts": "2" });
      assert.equal(await watching.told.next("folder"), "folder caps/shut");
    });
  }

  test("whose disk is full has what could be written told, and what is written once there is room", async () => {
    using temp = makeTempFolder();
    mkdirSync(path.join(temp.path, "disk"));
    const root = path.join(temp.path, "disk/caps");
    const program = `
import("node:fs").then(({ appendFileSync, mkdirSync, rmSync, writeFileSync }) => {
  const tryTo = (write) => { try { for (;;) write(); } catch ({ code }) { console.log(code); } };
  const steps = [
    () => {
      mkdirSync(root + "/tool");
      writeFileSync(root + "/tool/a.ts", "1");
    },
    () => {
      tryTo(() => appendFileSync(root + "/tool/cache", "x".repeat(4096)));
      tryTo(() => writeFileSync(root + "/tool/a.ts", "2".repeat(10_000)));
    },
    () => {
      rmSync(root + "/tool/cache");
      writeFileSync(root + "/tool/a.ts", "2".repeat(10_000));
    },
  ];
  process.stdin.on("data", () => steps.shift()());
});`;
    const line = `mount -t tmpfs -o size=64k none "${path.dirname(root)}" && mkdir "${root}"`;
    await using watching = watchingProcess(root, { under: within(line), program });
    const step = (): unknown => watching.child.stdin?.write("next");
    await watching.told.next("ready");
    step();
    await watching.told.next("root caps");
    step();
    for (const what of ["ENOSPC", "ENOSPC", "folder caps/tool"]) await watching.told.next(what);
    step();
    await watching.told.next("folder caps/tool");
  });
});

describe("more folders than `watchCount`", () => {
  test("are named, looked at once a second, and told of as the others are", async () => {
    await using made = await watched({ "a/x.ts": "1", "b/x.ts": "1", "b/lib/y.ts": "1" }, { limits: { watchCount: 1 } });
    const told = made.told.rest();
    assert.equal(told.length, 4);
    for (const what of told) assert.match(what, /^trouble [\w/]+: 1 folders are watched already, .* raise the limit `watchCount`$/u);
    // Each look finds something else: a file's content, a new file, one that is gone, and a followed one further down.
    made.write("caps/a/x.ts", "2");
    await made.told.next("folder caps/a");
    made.write("caps/a/cache.json", "2");
    made.write("caps/b/z.ts", "2");
    assert.equal(await made.told.next("folder"), "folder caps/b");
    made.watcher.follow(made.in("caps/b"), ["lib/y.ts"]);
    await made.told.next("folder caps/b");
    made.write("caps/b/lib/y.ts", "2");
    await made.told.next("folder caps/b");
    made.write("caps/c/x.ts", "2");
    await made.told.next("root caps");
    made.write("caps/c/x.ts", "3");
    await made.told.next("folder caps/c");
  });
});

test("where chokidar is told to poll by the environment, changes are told all the same", async () => {
  using temp = makeTempFolder();
  writeFiles(temp.path, FILES);
  for (const setting of [{ CHOKIDAR_USEPOLLING: "1" }, { CHOKIDAR_INTERVAL: "never" }]) {
    await using watching = watchingProcess(path.join(temp.path, "caps"), { env: { ...process.env, ...setting } });
    await watching.told.next("ready");
    writeFiles(temp.path, { "caps/open/a.ts": JSON.stringify(setting) });
    await watching.told.next("folder caps/open");
  }
});

test("a clock that is set back or forth changes nothing", async () => {
  using temp = makeTempFolder();
  writeFiles(temp.path, FILES);
  for (const jump of ["-1e10", "1e10"]) {
    const program = `{ const now = Date.now; Date.now = () => now() + ${jump}; }`;
    for (const watchCount of [100, 1]) {
      await using watching = watchingProcess(path.join(temp.path, "caps"), { program, limits: { watchCount } });
      await watching.told.next("ready");
      writeFiles(temp.path, { "caps/open/a.ts": `${jump} ${watchCount}` });
      await watching.told.next("folder caps/open");
    }
  }
});
