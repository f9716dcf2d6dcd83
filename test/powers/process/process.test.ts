import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { test } from "node:test";
import { makeBench, writeProgram, type Ended } from "./bench.ts";

test("a real program runs and tells its version", async () => {
  await using bench = makeBench();
  const use = bench.use();
  const { exitCode, stdout, signal, truncated } = await bench.run(use, "git", ["--version"]);
  assert.match(stdout, /^git version \d/);
  assert.deepEqual({ exitCode, signal, truncated }, { exitCode: 0, signal: null, truncated: false });
  assert.deepEqual(use.effects, [{ target: "git", changes: true, state: "done" }]);
});

test("a program that is not granted, not there or no name is not run", async () => {
  await using bench = makeBench();
  const use = bench.use();
  await assert.rejects(bench.run(use, "sh", ["-c", "echo"]), { code: "PERMISSION_DENIED" });
  await assert.rejects(bench.run(use, "tool"), { code: "ENOENT", message: /"tool"/ });
  for (const name of ["/bin/sh", "./tool", "../tool", "", "a b", "tool;sh", "tool\0", 7, null, ["git"]])
    await assert.rejects(bench.run(bench.use({ process: [String(name)] }), name), { code: "EINVAL" });
  assert.deepEqual(use.effects, []);
});

test("arguments reach the program as they are, and no shell sees them", async () => {
  await using bench = makeBench();
  bench.program("tool", "process.stdout.write(JSON.stringify(process.argv.slice(2)))");
  const args = ["$(id)", "`id`", "a b", "'", '"', "&& id", "*", "", "-rf", "é\n"];
  assert.deepEqual(JSON.parse((await bench.run(bench.use(), "tool", args)).stdout), args);
  for (const bad of ["id", { 0: "id", length: 1 }, [1], [null], ["a\0b"], ["\ud800"]])
    await assert.rejects(bench.run(bench.use(), "tool", bad), { code: "EINVAL" });
});

test("the environment holds nothing of the host's, and takes only what is on the list", async () => {
  await using bench = makeBench();
  process.env["TOOLCELL_TEST_TOKEN"] = "host-token";
  bench.program("tool", "process.stdout.write(JSON.stringify(process.env))");
  try {
    const env = JSON.parse((await bench.run(bench.use(), "tool", [], { env: { GIT_AUTHOR_NAME: "Ada", TZ: "UTC" } })).stdout) as Record<
      string,
      string
    >;
    assert.equal(env["TOOLCELL_TEST_TOKEN"], undefined);
    assert.equal(env["GIT_AUTHOR_NAME"], "Ada");
    assert.equal(env["HOME"], "/tmp/home");
    assert.ok(
      Object.keys(env).every((name) => /^(?:GIT_\w+|LANG|PATH|HOME|TMPDIR|TZ|PAGER|SSH_ASKPASS|TOOLCELL_RUN)$/u.test(name)),
      Object.keys(env).join(),
    );
  } finally {
    delete process.env["TOOLCELL_TEST_TOKEN"];
  }
  for (const env of [
    { PATH: "/x" },
    { LD_PRELOAD: "x" },
    { NODE_OPTIONS: "x" },
    { GIT_SSH_COMMAND: "x" },
    { TZ: 1 },
    { TZ: "a\0" },
    ["a"],
    null,
  ])
    await assert.rejects(bench.run(bench.use(), "tool", [], { env }), { code: "EINVAL" });
});

test("its home is empty and its own, and is gone afterwards", async () => {
  await using bench = makeBench();
  bench.program(
    "tool",
    `const { readdirSync, writeFileSync } = require("node:fs");
process.stdout.write(JSON.stringify([readdirSync(process.env.HOME), readdirSync(".")])); writeFileSync(process.env.HOME + "/x", "x");`,
  );
  const mine = () => readdirSync(tmpdir()).filter((name) => name.startsWith("toolcell-run-"));
  const before = new Set(mine());
  assert.deepEqual(JSON.parse((await bench.run(bench.use(), "tool")).stdout), [[], []]);
  assert.deepEqual(
    mine().filter((name) => !before.has(name)),
    [],
  );
});

test("it runs in the workspace where that is granted, and in no folder outside it", async () => {
  await using bench = makeBench();
  bench.program("tool", "process.stdout.write(process.cwd())");
  mkdirSync(path.join(bench.workspace, "sub"));
  mkdirSync(path.join(bench.root, "workspace-evil"));
  symlinkSync("/", path.join(bench.workspace, "out"));
  symlinkSync(path.join(bench.root, "workspace-evil"), path.join(bench.workspace, "evil"));
  symlinkSync("sub", path.join(bench.workspace, "in"));
  writeFileSync(path.join(bench.workspace, "file"), "");
  for (const [cwd, real] of [
    ["/workspace", "/workspace"],
    ["/workspace/sub", "/workspace/sub"],
    ["/workspace/in/", "/workspace/sub"],
    ["/workspace/./sub/..", "/workspace"],
  ] as const)
    assert.equal((await bench.run(bench.use({ workspace: "read" }), "tool", [], { cwd })).stdout, real);
  for (const cwd of ["/", "/workspace/../etc", "/workspace-evil", "/etc", "sub", "", bench.workspace, 7, "/workspace/\0"])
    await assert.rejects(bench.run(bench.use({ workspace: "read" }), "tool", [], { cwd }), { code: "EINVAL" });
  for (const cwd of ["/workspace/out", "/workspace/out/etc", "/workspace/evil"])
    await assert.rejects(bench.run(bench.use({ workspace: "read" }), "tool", [], { cwd }), (error: Error & { code: string }) => {
      assert.ok(!error.message.includes(bench.root));
      return error.code === "PERMISSION_DENIED";
    });
  await assert.rejects(bench.run(bench.use({ workspace: "read" }), "tool", [], { cwd: "/workspace/file" }), { code: "ENOENT" });
  await assert.rejects(bench.run(bench.use(), "tool", [], { cwd: "/workspace" }), { code: "PERMISSION_DENIED" });
});

test("a folder that turns into a link while it is looked at leads nowhere outside", { skip: process.platform !== "linux" }, async () => {
  await using bench = makeBench({ processCount: 1000 });
  bench.program("tool", "process.stdout.write(process.cwd())");
  const [inside, outside, real, link] = ["sub", "out", "real", "link"].map((name) => path.join(bench.workspace, name)) as [
    string,
    string,
    string,
    string,
  ];
  mkdirSync(real);
  symlinkSync("/usr", link);
  const swapper = spawn(process.execPath, [
    "-e",
    `const { renameSync } = require("node:fs"); const [a, sub, b, out] = process.argv.slice(1);
process.stdout.write("x"); for (;;) { renameSync(a, sub); renameSync(sub, a); renameSync(b, sub); renameSync(sub, b); }`,
    real,
    inside,
    link,
    outside,
  ]);
  await once(swapper.stdout, "data");
  try {
    const seen = new Set<string>();
    for (let round = 0; round < 40; round += 1)
      seen.add(
        await bench.run(bench.use({ workspace: "read" }), "tool", [], { cwd: "/workspace/sub" }).then(
          ({ stdout }) => stdout,
          (error: { code: string }) => error.code,
        ),
      );
    for (const place of seen) assert.ok(place.startsWith("/workspace/") || place === "ENOENT" || place === "PERMISSION_DENIED", place);
  } finally {
    swapper.kill("SIGKILL");
  }
});

test("a program that stands where tools can write is passed over", async () => {
  await using bench = makeBench();
  const before = process.env["PATH"];
  const bin = path.join(bench.workspace, "bin");
  mkdirSync(bin);
  writeProgram(path.join(bin, "tool"), "process.stdout.write('mine')");
  symlinkSync("/bin/sh", path.join(bin, "git"));
  process.env["PATH"] = `${bin}${path.delimiter}relative${path.delimiter}${before}`;
  await assert.rejects(bench.run(bench.use(), "tool"), { code: "PERMISSION_DENIED", message: /where tools can write/ });
  assert.match((await bench.run(bench.use(), "git", ["--version"])).stdout, /^git version/);
  symlinkSync(path.join(bin, "tool"), path.join(bench.root, "bin", "tool"));
  await assert.rejects(bench.run(bench.use(), "tool"), { code: "PERMISSION_DENIED" });
  process.env["PATH"] = before;
});

test("a repository's own hooks and helpers are not started", async () => {
  await using bench = makeBench();
  const [hook, env] = [
    path.join(bench.workspace, ".git/hooks/pre-commit"),
    { GIT_AUTHOR_NAME: "Ada", GIT_AUTHOR_EMAIL: "a@b.c", GIT_COMMITTER_NAME: "Ada", GIT_COMMITTER_EMAIL: "a@b.c" },
  ];
  const git = (...args: readonly string[]) => bench.run(bench.use({ workspace: "write" }), "git", args, { env });
  assert.equal((await git("init", "-q")).exitCode, 0);
  mkdirSync(path.dirname(hook), { recursive: true });
  writeProgram(hook, `require("node:fs").writeFileSync(${JSON.stringify(path.join(bench.workspace, "ran"))}, "x")`);
  const { exitCode, stderr } = await git("commit", "-q", "--allow-empty", "-m", "empty");
  assert.equal(exitCode, 0, stderr);
  assert.equal(existsSync(path.join(bench.workspace, "ran")), false);
  assert.equal((await git("rev-parse", "--show-toplevel")).stdout, "/workspace\n");
});

test("input is read to its end, and without any there is none", async () => {
  await using bench = makeBench();
  bench.program("tool", `let n = 0; process.stdin.on("data", (c) => (n += c.length)).on("end", () => process.stdout.write(String(n)))`);
  assert.equal((await bench.run(bench.use(), "tool", [], { input: "é".repeat(10_000) })).stdout, "20000");
  assert.equal((await bench.run(bench.use(), "tool")).stdout, "0");
  const bytes = Buffer.from([0, 255, 10]);
  const { value } = await bench.power.perform({ op: "run", args: { program: "tool" }, bytes }, bench.use());
  assert.equal((value as unknown as Ended).stdout, "3");
  bench.program("tool", "process.exit(3)");
  assert.equal((await bench.run(bench.use(), "tool", [], { input: "x".repeat(99_000) })).exitCode, 3);
  await assert.rejects(bench.run(bench.use(), "tool", ["x".repeat(50_000)], { input: "x".repeat(50_001) }), { code: "POWER_LIMIT" });
  await assert.rejects(bench.run(bench.use(), "tool", Array(1001).fill("")), { code: "POWER_LIMIT" });
});

test("a flood of output is cut at its limit, and the program does not go on", async () => {
  await using bench = makeBench({ processOutputBytes: 10_001 });
  bench.program(
    "tool",
    `process.on("SIGTERM", () => {}); const flood = () => process.stdout.write("é".repeat(5000), flood); flood(); setInterval(() => {}, 1000);`,
  );
  const { stdout, truncated, signal } = await bench.run(bench.use(), "tool");
  assert.equal(stdout, "é".repeat(5000));
  assert.deepEqual([truncated, signal], [true, "SIGKILL"]);
});

test("output of exactly the limit is whole, and bytes that are no text become U+FFFD", async () => {
  await using bench = makeBench({ processOutputBytes: 10 });
  bench.program("tool", `process.stdout.write(Buffer.from([0xff, 0x41, 0])); process.stderr.write("1234567")`);
  assert.deepEqual(await bench.run(bench.use(), "tool"), {
    exitCode: 0,
    signal: null,
    stdout: "\ufffdA\0",
    stderr: "1234567",
    truncated: false,
  });
});

test("a call runs so many programs and no more", async () => {
  await using bench = makeBench({ processCount: 2 });
  bench.program("tool", "");
  const use = bench.use();
  await bench.run(use, "tool");
  await bench.run(use, "tool");
  await assert.rejects(bench.run(use, "tool"), { code: "POWER_LIMIT", message: /processCount/ });
  assert.equal((await bench.run(bench.use(), "tool")).exitCode, 0);
});
