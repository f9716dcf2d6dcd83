import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { toolFile } from "../support/capabilities.ts";
import { makeCommandHome } from "./a-home.ts";

const CLI_FILE = new URL("../../dist/cli.js", import.meta.url).pathname;
// util-linux's `script` gives a program a terminal.
const hasTerminals = process.platform === "linux" && spawnSync("script", ["--version"]).status === 0;

const ASKS = `{ network: ["api.example.com", "b.example.com"], storage: true, reason: { network: "To ask for the weather." } }`;
const { root, run } = makeCommandHome({
  "weather/index.js": `export const LABEL = "Weather";\nexport const PERMISSIONS = ${ASKS};\n`,
  "weather/look.js": toolFile("look", "function run() {}"),
  "plain/tool.js": toolFile("plain", "function run() {}"),
});

function granted(): unknown {
  const file = JSON.parse(readFileSync(`${root}/home/grants.json`, "utf8")) as { grants: { weather?: { permissions: unknown } } };
  return file.grants.weather?.permissions;
}

test("--yes grants all that is asked, showing it with its reasons; revoke takes it back", async () => {
  const { code, stdout, stderr } = await run(["grant", "weather", "--yes"]);
  assert.equal(code, 0);
  assert.match(stderr, /network: api\.example\.com\n {4}"To ask for the weather\."/u);
  assert.match(stdout, /^"weather" is granted network: api\.example\.com; network: b\.example\.com; storage\.\n$/u);
  assert.deepEqual(granted(), { network: ["api.example.com", "b.example.com"], storage: true });
  assert.match((await run(["capabilities"])).stdout, /granted: network \["api\.example\.com","b\.example\.com"\], storage/u);
  assert.equal((await run(["revoke", "weather"])).code, 0);
  assert.equal(granted(), undefined);
});

test("where nobody can be asked, and for what there is not, it says so and grants nothing", async () => {
  for (const [args, exit, says] of [
    [["grant", "weather"], 2, /--yes/u],
    [["grant"], 2, /needs the capability/u],
    [["grant", "weather", "storage"], 2, /does not take "storage"/u],
    [["grant", "nothere", "--yes"], 1, /no capability "nothere"/u],
    [["grant", "plain", "--yes"], 1, /asks for nothing/u],
    [["revoke", "nothere"], 1, /no capability "nothere"/u],
    [["revoke"], 2, /needs the capability/u],
  ] as const) {
    const { code, stderr } = await run(args);
    assert.equal(code, exit, args.join(" "));
    assert.match(stderr, says);
  }
  assert.equal(granted(), undefined);
});

test(
  "on a terminal it asks about each, and gives what was answered yes to",
  { skip: hasTerminals ? false : "needs util-linux's script" },
  async () => {
    const command = `'${process.execPath}' '${CLI_FILE}' grant weather --home '${root}/home'`;
    const child = spawn("script", ["-qec", command, "/dev/null"], { stdio: ["pipe", "pipe", "inherit"] });
    const answers = ["y\n", "\n", "yes\n"];
    let asked = 0;
    let seen = "";
    child.stdout.on("data", (chunk: Buffer) => {
      seen += chunk.toString();
      while (seen.split("[y/N]").length - 1 > asked) child.stdin.write(answers[asked++] ?? "\n");
    });
    await new Promise((resolve) => child.once("close", resolve));
    assert.deepEqual(granted(), { network: ["api.example.com"], storage: true }, seen);
  },
);
