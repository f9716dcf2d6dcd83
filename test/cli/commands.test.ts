import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, readdirSync, symlinkSync } from "node:fs";
import path from "node:path";
import { describe, test } from "node:test";
import type { CapabilityEntry, Skipped } from "toolcell";
import { toolFile, writeFiles } from "../support/capabilities.ts";
import { runCommand } from "../support/command.ts";
import { makeCommandHome } from "./a-home.ts";

const REPOSITORY = path.join(import.meta.dirname, "../..");
const { version } = (await import("../../package.json", { with: { type: "json" } })).default;

const { root, run, start } = makeCommandHome({
  "demo/index.js":
    'export const LABEL = "Demo"; export const DESCRIPTION = "Shows things.\\nAnd more."; export const PERMISSIONS = { network: ["api.example.com"], storage: true };',
  "demo/one.js":
    'export const NAME = "one";\nexport const DESCRIPTION = "Does one thing.\\nAnd says so.";\nexport const run = () => "one";',
  "demo/bad.js": "export const NAME = 5;",
});
writeFiles(root, {
  "good/two.js": toolFile("two", "const run = () => 'two';"),
  "broken/two.js": toolFile("two", "const run = () => 'two';"),
  "broken/bad.js": "export const NAME = ;",
  "empty/README.md": "",
  "Not-A-Name/two.js": toolFile("two", "const run = () => 'two';"),
  "demo/two.js": toolFile("two", "const run = () => 'two';"),
  "math_two/evaluate.js": toolFile("math_evaluate", "const run = () => 'two';"),
});

describe("tools", () => {
  test("lists each with its source and the first line of its description, sorted; what was skipped goes to stderr", async () => {
    const { code, stdout, stderr } = await run(["tools"]);
    assert.equal(code, 0);
    assert.match(stdout, /^one {2}\[demo\]\n {4}Does one thing\.\n/mu);
    assert.match(stdout, /^math_evaluate {2}\[toolcell\]\n {4}\S/mu);
    const names = stdout
      .split("\n")
      .filter((line) => /^\S/u.test(line))
      .map((line) => line.split(" ", 1).join());
    assert.deepEqual(names, [...names].sort());
    assert.match(stderr, /^Not taken:\n {4}demo\/bad\.js:1: NAME has to be/u);
  });

  test("--quiet says nothing of what was skipped", async () => {
    assert.equal((await run(["tools", "--quiet"])).stderr, "");
  });

  test("--json is `tools` by name and `skipped`", async () => {
    const { code, stdout, stderr } = await run(["tools", "--json"]);
    const { tools, skipped, ...rest } = JSON.parse(stdout) as { tools: Record<string, object>; skipped: Skipped[] };
    assert.deepEqual([code, stderr, rest], [0, "", {}]);
    assert.deepEqual(tools["one"], {
      source: "demo",
      description: "Does one thing.\nAnd says so.",
      input_schema: { type: "object", properties: {}, additionalProperties: false },
    });
    assert.deepEqual(
      skipped.map(({ source, name }) => [source, name]),
      [["demo", "bad.js:1"]],
    );
    assert.deepEqual(Object.keys(skipped[0] ?? {}).sort(), ["name", "reason", "source"]);
  });

  test("of a folder that is named beside are listed too, as often as one is named", async () => {
    writeFiles(root, {
      "more/alpha/alpha.js": toolFile("alpha", "const run = () => 1;"),
      "most/beta/beta.js": toolFile("beta", "const run = () => 1;"),
    });
    const { stdout } = await run(["tools", "--capabilities", "more", "--capabilities=most"]);
    assert.match(stdout, /^alpha {2}\[alpha\]$/mu);
    assert.match(stdout, /^beta {2}\[beta\]$/mu);
  });
});

describe("capabilities", () => {
  test("shows each with what it offers, asks for, and what is broken and why", async () => {
    const { code, stdout } = await run(["capabilities"]);
    assert.equal(code, 0);
    assert.match(
      stdout,
      /^on {6}Demo \(demo\) {2}\[demo\]\n {8}Shows things\.\n {8}tools \(about \d+ tokens\): one\n {8}asks for: network \["api\.example\.com"\], storage\n {8}waiting for you: it asks for more than it has\n {8}broken bad\.js:1: /mu,
    );
    assert.match(stdout, /^on {6}\S.*\(math\) {2}\[toolcell\]$/mu);
  });

  test("--json is what the engine lists", async () => {
    const entries = JSON.parse((await run(["capabilities", "--json"])).stdout) as CapabilityEntry[];
    assert.deepEqual(entries.find(({ name }) => name === "demo")?.tools, [{ name: "one", description: "Does one thing.\nAnd says so." }]);
  });

  test("tells of a folder that is not there", async () => {
    const { code, stderr } = await run(["capabilities", "--capabilities", "nowhere"]);
    assert.equal(code, 0);
    assert.match(stderr, /nowhere: There is no such folder/u);
  });
});

describe("check", () => {
  for (const [what, folder, exit, says] of [
    ["a good folder is exit 0", "good", 0, /^on {6}Good \(good\)/u],
    ["a folder with a broken file is exit 1, with its line", "broken", 1, /broken bad\.js:1: Syntax error/u],
    ["a folder without a tool is exit 1", "empty", 1, /refused: .*no tool file/u],
    ["a folder whose name is none is exit 1", "Not-A-Name", 1, /refused: .*not a capability's name/u],
    ["a folder whose name another one has is exit 1", "demo", 1, /refused: The name "demo" is taken by/u],
    ["a tool whose name a shipped one has is exit 1", "math_two", 1, /broken evaluate\.js: "math_evaluate" is the name of a shipped tool/u],
    ["a folder that is not there is exit 1", "nowhere", 1, /refused: .*no folder/u],
    ["a file is exit 1", "good/two.js", 1, /refused: /u],
  ] as const) {
    test(what, async () => {
      const { code, stdout, stderr } = await run(["check", folder]);
      assert.match(stdout, says);
      assert.equal(code, exit);
      assert.match(stderr, exit === 0 ? /^"good" is fine\.\n$/u : /is not taken as it is\.\n$/u);
    });
  }

  test("--json is the capability's entry", async () => {
    const { code, stdout, stderr } = await run(["check", "broken", "--json"]);
    const entry = JSON.parse(stdout) as CapabilityEntry;
    assert.deepEqual([code, stderr, entry.name, entry.tools[0]?.name, entry.broken[0]?.file], [1, "", "broken", "two", "bad.js"]);
  });

  test("runs nothing of what it checks", async () => {
    writeFiles(root, {
      "trap/trap.js": `import { writeFileSync } from "node:fs";\nwriteFileSync("${root}/sprung", "");\n${toolFile("trap", "const run = () => 1;")}`,
    });
    await run(["check", "trap"]);
    assert.equal(existsSync(path.join(root, "sprung")), false);
  });
});

describe("new", () => {
  test("makes a capability that checks out, whose tool runs and whose own test passes", async () => {
    const project = path.join(root, "project");
    mkdirSync(path.join(project, "node_modules"), { recursive: true });
    symlinkSync(REPOSITORY, path.join(project, "node_modules", "toolcell"));
    const made = await run(["new", "my-greeter"], { cwd: project });
    assert.deepEqual([made.code, made.stderr], [0, ""]);
    assert.match(made.stdout, /Try it: toolcell call .*my_greeter_greet name=Ada/u);
    assert.deepEqual(readdirSync(path.join(project, "my-greeter")).sort(), ["greet.test.ts", "greet.ts", "index.ts", "tsconfig.json"]);

    assert.equal((await run(["check", "my-greeter"], { cwd: project })).code, 0);
    const called = await run(["call", "--capabilities", ".", "my_greeter_greet", "name=Ada"], { cwd: project });
    assert.deepEqual([called.code, called.stdout], [0, "Hello, Ada!\n"]);

    const tested = await run(["test", "my-greeter"], { cwd: project });
    assert.equal(tested.code, 0, tested.stdout);
    assert.match(tested.stdout, /^ok greet\.test\.ts: greets by name \(\d+ ms\)\nok greet\.test\.ts: says what is missing/u);
    assert.equal(tested.stderr, "2 passed, 0 failed.\n");
  });

  test("never touches what is there already", async () => {
    const { code, stdout, stderr } = await run(["new", "good"]);
    assert.deepEqual([code, stdout, stderr], [1, "", '"good" exists already\n']);
    assert.deepEqual(readdirSync(path.join(root, "good")), ["two.js"]);
  });

  for (const name of ["Bad", "a", "../up", "with space", "x".repeat(41)]) {
    test(`refuses the name ${JSON.stringify(name)}`, async () => {
      const { code, stderr } = await run(["new", name]);
      assert.equal(code, 2);
      assert.match(stderr, /is no name of a capability: 2 to 40 of/u);
    });
  }
});

describe("doctor", () => {
  test("tries out a sealed call and says what stands", async () => {
    const { code, stdout, stderr } = await run(["doctor"]);
    assert.deepEqual([code, stderr], [0, ""]);
    for (const line of [
      /^ok +Node: v\d+/mu,
      /^ok +isolated-vm: 7\./mu,
      /^ok +sealed call: a cell started in \d+ ms/mu,
      /^ok +wall process: /mu,
      /^ok +wall permission-model: /mu,
      /^\S+ +wall bubblewrap: /mu,
    ])
      assert.match(stdout, line);
  });

  test("--json is its findings", async () => {
    const findings = JSON.parse((await run(["doctor", "--json"])).stdout) as { name: string; state: string }[];
    assert.ok(findings.every(({ name, state }) => name !== "" && ["ok", "missing", "failed"].includes(state)));
  });
});

describe("help and version", () => {
  test("--version is the version alone", async () => {
    for (const words of [["--version"], ["tools", "--version"]])
      assert.deepEqual(await run(words), { code: 0, signal: null, stdout: `${version}\n`, stderr: "" });
  });

  test("--help, -h and help tell of every command and every flag", async () => {
    for (const words of [["--help"], ["-h"], ["help"]]) {
      const { code, stdout, stderr } = await run(words);
      assert.deepEqual([code, stderr], [0, ""]);
      for (const command of ["call", "tools", "capabilities", "check", "new", "doctor"])
        assert.match(stdout, new RegExp(`^ {2}${command}\\b`, "mu"));
      for (const flag of ["--capabilities", "--workspace", "--home", "--timeout", "--json", "--quiet", "--version"])
        assert.ok(stdout.includes(flag), flag);
    }
  });

  for (const command of ["call", "tools", "capabilities", "check", "new", "doctor"]) {
    test(`${command} --help is that command's`, async () => {
      const { code, stdout } = await run([command, "--help"]);
      assert.equal(code, 0);
      assert.match(stdout, new RegExp(`^Usage: toolcell ${command}\\b`, "u"));
    });
  }
});

describe("wrong usage is exit 2, a sentence on stderr and nothing on stdout:", () => {
  for (const [what, words, says] of [
    ["nothing at all", [], /^toolcell .*\n\nUsage: /u],
    ["a command that there is none of", ["cal"], /There is no command "cal"\./u],
    ["a flag that there is none of", ["tools", "--jsn"], /There is no flag "--jsn"\./u],
    ["a word too many", ["tools", "all"], /does not take "all"\./u],
    ["a second folder to check", ["check", "good", "broken"], /does not take "broken"\./u],
    ["no folder to check", ["check"], /needs the folder to check\./u],
    ["no name for what is new", ["new"], /needs a name for the capability\./u],
    ["a switch with a value", ["tools", "--json=false"], /"--json" takes no value\./u],
    ["a flag where a folder is wanted", ["check", "--all"], /There is no flag "--all"\./u],
    ["an empty home", ["tools", "--home", ""], /`home` must be a non-empty string\./u],
  ] as const) {
    test(what, async () => {
      const { code, stdout, stderr } = await run(words);
      assert.deepEqual([code, stdout], [2, ""]);
      assert.match(stderr, says);
      assert.doesNotMatch(stderr, /\n\s+at /u);
    });
  }
});

test("a reader that has enough before the end is no fault", async () => {
  const { child, end } = start(["tools"]);
  child.stdout?.destroy();
  // What is left to read is its end.
  await assert.rejects(end);
  if (child.exitCode === null) await once(child, "exit");
  assert.equal(child.exitCode, 0);
});

const OLD_NODE = ["/usr/bin/node", "/usr/local/bin/node"].find((file) => {
  const { stdout } = spawnSync(file, ["--version"], { encoding: "utf8" });
  return /^v(?:1\d|2[0-3])\./u.test(stdout ?? "");
});

test(
  "a Node that is too old gets one sentence and exit 2",
  { skip: OLD_NODE === undefined ? "no Node older than 24 was found here" : false },
  async () => {
    const { code, stdout, stderr } = await runCommand(["tools"], { node: OLD_NODE ?? "" });
    assert.deepEqual([code, stdout], [2, ""]);
    assert.match(stderr, /^toolcell needs Node 24 or later and this is v\d+\.\d+\.\d+: install Node 24 and run it again\.\n$/u);
  },
);
