import assert from "node:assert/strict";
import { spawnSync, type SpawnSyncReturns } from "node:child_process";
import { chmodSync, existsSync } from "node:fs";
import path from "node:path";
import { after, before, describe, test } from "node:test";
import { writeFiles } from "../support/capabilities.ts";
import { echoModule, makeCommandAgent } from "./an-agent.ts";

const CLI_FILE = new URL("../../dist/cli.js", import.meta.url).pathname;
const HOSTILE = ["$(touch pwned)", "`touch pwned`", "a b", "x;touch pwned", "-", "--evil", "é'\"\\", "new\nline"];

const agent = makeCommandAgent({
  "myapi.js": echoModule([
    {
      name: "myapi_query",
      description: "Send a query; $(touch pwned) `touch pwned`\t'\"",
      input_schema: {
        type: "object",
        properties: {
          query: { type: "string" },
          limit: { type: "integer", description: "The most $(touch pwned) results." },
          unit: { enum: ["metric", "imperial", ...HOSTILE] },
          isExact: { type: "boolean" },
          home: { type: "string" },
          ...Object.fromEntries(HOSTILE.map((name) => [name, { type: "string" }])),
        },
        required: ["query"],
      },
    },
  ]),
});
after(() => agent[Symbol.dispose]());
const bin = path.join(agent.path, "bin");
const env = { ...process.env, PATH: `${bin}:${process.env["PATH"] ?? ""}`, TOOLCELL_HOME: agent.home, HOME: agent.path };

before(() => {
  writeFiles(bin, { toolcell: `#!/bin/sh\nexec "${process.execPath}" "${CLI_FILE}" "$@"\n` });
  chmodSync(path.join(bin, "toolcell"), 0o755);
});

/** What is typed, and what has to be offered: all of it, or nothing but it. */
const CASES = [
  [["comp"], ["completion"]],
  [
    ["call", "my"],
    ["myapi", "myapi_query"],
  ],
  [["call", "myapi", "q"], ["query"]],
  [["call", "myapi", "query", "x", "--l"], ["--limit"]],
  [["call", "myapi_query", "--is"], ["--is-exact"]],
  [
    ["call", "myapi_query", "x", "--no"],
    ["--no-is-exact", "--no-plugins"],
  ],
  [
    ["call", "myapi_query", "--unit", ""],
    ["imperial", "metric"],
  ],
  [["call", "myapi_query", "--unit", "i"], ["imperial"]],
  [["call", "myapi_query", "hom"], ["home="]],
  [
    ["completion", ""],
    ["bash", "fish", "zsh"],
  ],
] as const;

function inShell(shell: string, script: string): SpawnSyncReturns<string> {
  const ended = spawnSync(shell, shell === "zsh" ? ["-f", "-c", script] : ["-c", script], { env, cwd: agent.path, encoding: "utf8" });
  assert.equal(existsSync(path.join(agent.path, "pwned")), false);
  return ended;
}

function isThere(shell: string): false | string {
  return spawnSync(shell, ["-c", "exit 0"]).status === 0 ? false : `${shell} is not installed here`;
}

function quoted(word: string): string {
  return `'${word.replaceAll("'", `'\\''`)}'`;
}

describe("in bash,", () => {
  for (const [typed, offered] of CASES) {
    test(`"toolcell ${typed.join(" ")}" is completed`, () => {
      const words = ["toolcell", "--agent", agent.agent, ...typed];
      const line = words.join(" ");
      const { stdout, stderr, status } = inShell(
        "bash",
        `source <(toolcell completion bash) || exit 9
         COMP_WORDS=(${words.map(quoted).join(" ")}) COMP_CWORD=${words.length - 1} COMP_LINE=${quoted(line)} COMP_POINT=${line.length}
         compopt() { :; }; _toolcell; printf '%s\\n' "\${COMPREPLY[@]}" | sort`,
      );
      assert.deepEqual([status, stderr], [0, ""]);
      assert.deepEqual(stdout.trim().split("\n"), [...offered]);
    });
  }

  test("nothing of a stranger's that a shell would act on is ever offered", () => {
    for (const typed of [
      ["call", "myapi_query", "--unit", ""],
      ["call", "myapi_query", "--"],
      ["call", "myapi_query", ""],
      ["call", ""],
    ]) {
      const { stdout } = inShell("bash", `toolcell completion words -- --agent ${quoted(agent.agent)} ${typed.map(quoted).join(" ")}`);
      const words = stdout
        .trimEnd()
        .split("\n")
        .map((line) => line.split("\t", 1)[0] ?? "");
      assert.ok(words.length > 1);
      for (const word of words) assert.match(word, /^(?:--)?[A-Za-z0-9_][\w.:@/+-]*=?$/u);
      assert.ok(!words.some((word) => word.includes("touch")));
    }
  });

  test("a line that cannot be read is offered nothing, and nobody is told", () => {
    const { stdout, stderr, status } = inShell("bash", `toolcell completion words -- --timeout never call ''`);
    assert.deepEqual([stdout, stderr, status], ["", "", 0]);
  });
});

describe("in zsh,", { skip: isThere("zsh") }, () => {
  test("the script is one", () => {
    const { status, stderr } = inShell("zsh", "toolcell completion zsh > script.zsh && zsh -f -n script.zsh");
    assert.deepEqual([status, stderr], [0, ""]);
  });

  for (const [typed, offered] of CASES.slice(0, 7)) {
    test(`"toolcell ${typed.join(" ")}" is completed`, () => {
      const words = ["toolcell", "--agent", agent.agent, ...typed];
      const { stdout, stderr } = inShell(
        "zsh",
        `compdef() { :; }; source <(toolcell completion zsh)
         compadd() { local -a all=("\${(@P)argv[-1]}"); print -rl -- "\${(@M)all:#$words[CURRENT]*}" | sort; }
         words=(${words.map(quoted).join(" ")}); CURRENT=${words.length}; _toolcell`,
      );
      assert.equal(stderr, "");
      assert.deepEqual(stdout.trim().split("\n"), [...offered]);
    });
  }
});

describe("in fish,", { skip: isThere("fish") }, () => {
  test("the script is one", () => {
    const { status, stderr } = inShell("fish", "toolcell completion fish > script.fish; and fish --no-execute script.fish");
    assert.deepEqual([status, stderr], [0, ""]);
  });

  for (const [typed, offered] of CASES.slice(1, 7)) {
    test(`"toolcell ${typed.join(" ")}" is completed`, () => {
      const line = ["toolcell", "--agent", agent.agent, ...typed].join(" ");
      const { stdout } = inShell("fish", `toolcell completion fish | source; complete -C ${quoted(line)}`);
      const words = new Set(
        stdout
          .trim()
          .split("\n")
          .map((text) => text.split("\t", 1)[0]),
      );
      for (const word of offered) assert.ok(words.has(word), stdout);
    });
  }
});

test("another shell than these is exit 2", async () => {
  const { code, stderr } = await agent.run(["completion", "tcsh"]);
  assert.equal(code, 2);
  assert.match(stderr, /no completion for "tcsh"; there is one for bash, zsh, fish/u);
});
