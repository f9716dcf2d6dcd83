import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { chmodSync, existsSync } from "node:fs";
import path from "node:path";
import { text } from "node:stream/consumers";
import { test } from "node:test";
import { createVault } from "../../../src/powers/secrets/vault.ts";
import { makeTempFolder, toolFile, writeFiles } from "../../support/capabilities.ts";
import { runCommand } from "../../support/command.ts";

const CLI_FILE = new URL("../../../dist/cli.js", import.meta.url).pathname;
const VALUE = "s3cret-value-42";
// util-linux's `script` gives a program a terminal.
const hasTerminals = process.platform === "linux" && spawnSync("script", ["--version"]).status === 0;

function readBack(home: string, name: string): Promise<string | null> {
  return createVault({ home }).get(name);
}

test("a value comes in through a pipe, without the line feed at its end, and is never shown", async () => {
  using temp = makeTempFolder();
  for (const [input, kept] of [
    [VALUE, VALUE],
    [`${VALUE}\n`, VALUE],
    [`${VALUE}\r\n`, VALUE],
    [`${VALUE}\n\n`, `${VALUE}\n`],
    [` ${VALUE} é `, ` ${VALUE} é `],
  ] as const) {
    const { code, stdout, stderr } = await runCommand(["secret", "set", "KEY", "--home", temp.path], { input });
    assert.equal(code, 0, stderr);
    assert.equal(stdout, "");
    assert.ok(!stderr.includes(VALUE));
    assert.equal(await readBack(temp.path, "KEY"), kept);
  }
});

test("a value as an argument is wrong usage that says so, and nothing is kept", async () => {
  using temp = makeTempFolder();
  for (const words of [["KEY", VALUE], [`KEY=${VALUE}`], ["KEY", "--value", VALUE]]) {
    const { code, stderr } = await runCommand(["secret", "set", ...words, "--home", temp.path]);
    assert.equal(code, 2);
    assert.match(stderr, /never an argument/);
    assert.ok(!stderr.includes(VALUE), stderr);
  }
  assert.equal(existsSync(path.join(temp.path, "secrets.json")), false);
  for (const words of [[], ["set"], ["remove"], ["list", "KEY"], ["show", "KEY"], ["remove", "A", "B"]])
    assert.equal((await runCommand(["secret", ...words, "--home", temp.path])).code, 2, words.join(" "));
});

test("what is no secret, and a vault in disorder, are told in one line without a stack", async () => {
  using temp = makeTempFolder();
  const set = (name: string, input: string) => runCommand(["secret", "set", name, "--home", temp.path], { input });
  for (const [name, input] of [
    ["KEY", "short"],
    ["KEY", ""],
    ["a b", VALUE],
  ] as const) {
    const { code, stderr } = await set(name, input);
    assert.equal(code, 1);
    assert.match(stderr, /^[A-Z][^\n]*\.\n$/);
  }
  assert.equal((await set("KEY", VALUE)).code, 0);
  chmodSync(path.join(temp.path, "secrets.key"), 0o644);
  const { code, stderr } = await set("KEY", VALUE);
  assert.equal(code, 1);
  assert.match(stderr, /chmod 600/);
});

test("names alone are listed, with the capabilities that ask for them", async () => {
  using temp = makeTempFolder();
  writeFiles(path.join(temp.path, "capabilities"), {
    "weather/index.js": `export const LABEL = "W"; export const PERMISSIONS = { secrets: [{ name: "KEY", hosts: ["api.example.com"] }] };`,
    "weather/look.js": toolFile("look", "const run = () => 'x';"),
  });
  const run = (...words: readonly string[]) => runCommand([...words, "--home", temp.path], { input: VALUE });
  await run("secret", "set", "KEY");
  await run("secret", "set", "UNUSED");
  assert.equal((await run("secret", "list")).stdout, "KEY  weather (not granted)\nUNUSED  (no capability asks for it)\n");
  const { stdout } = await run("secret", "list", "--json");
  assert.deepEqual(JSON.parse(stdout), [
    { name: "KEY", usedBy: [{ capability: "weather", hosts: ["api.example.com"], granted: false }] },
    { name: "UNUSED", usedBy: [] },
  ]);
  assert.equal((await run("secret", "remove", "UNUSED")).code, 0);
  assert.equal((await run("secret", "remove", "UNUSED")).code, 1);
});

for (const [how, keys, code, kept] of [
  ["a line", `${VALUE}\r`, 0, VALUE],
  ["a line with corrections", `wrong\u0015x\u007f${VALUE}y\b\r`, 0, VALUE],
  ["what is pasted", `\u001b[200~${VALUE}\u001b[201~\r`, 0, VALUE],
  ["Ctrl-C", `${VALUE}\u0003`, 1, null],
] as const) {
  test(`a terminal that is given ${how} shows nothing of it and is as it was before`, { skip: !hasTerminals }, async () => {
    using temp = makeTempFolder();
    const command = `stty -a | grep -o '[-]*echo ' ; '${process.execPath}' '${CLI_FILE}' secret set KEY --home '${temp.path}'; echo "code=$?"; stty -a | grep -o '[-]*echo '`;
    const child = spawn("script", ["-qec", command, "/dev/null"], { stdio: ["pipe", "pipe", "inherit"] });
    let hasAnswered = false;
    let seen = "";
    child.stdout.on("data", (chunk: Buffer) => {
      seen += chunk.toString();
      if (hasAnswered || !seen.includes("Value of KEY")) return;
      hasAnswered = true;
      child.stdin.write(keys);
    });
    const shown = await text(child.stdout);
    child.stdin.end();
    assert.ok(!shown.includes(VALUE) && !shown.includes("wrong"), shown);
    assert.match(shown, new RegExp(`^echo [^]*code=${code}\\r\\necho `, "u"));
    assert.equal(await readBack(temp.path, "KEY"), kept);
  });
}
