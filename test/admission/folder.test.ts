import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import path from "node:path";
import { test } from "node:test";
import { admitFiles, brokenReason, makeFolder, makeTempDir, sharedAdmission, tool } from "./a-folder.ts";

const admission = sharedAdmission();
const good = tool("good");

async function refusedAt(folder: string): Promise<string> {
  const record = await admission.admit(folder, { shipped: false });
  assert.deepEqual([record.tools, record.bundleHash], [[], null]);
  return record.refused ?? "not refused";
}

test("a folder in order is taken with its defaults", async () => {
  const record = await admitFiles(
    admission,
    { "good.ts": good, "_helper.ts": "export const x = 1;", ".hidden.ts": "!", "types.d.ts": "export type A = 1;", "readme.md": "#" },
    "my_big-tool",
  );
  assert.equal(record.refused, null);
  assert.deepEqual(record.broken, []);
  assert.deepEqual(
    {
      name: record.name,
      label: record.label,
      description: record.description,
      runtime: record.runtime,
      limits: record.limits,
      permissions: record.permissions,
    },
    { name: "my_big-tool", label: "My Big Tool", description: "", runtime: "isolate", limits: {}, permissions: null },
  );
  assert.deepEqual(record.tools, [
    {
      name: "good",
      description: "Does good.",
      inputSchema: { type: "object", properties: {}, additionalProperties: false },
      file: "good.ts",
      profile: { expectedSeconds: null, backgroundEligible: false, gated: false, retrySafe: false },
    },
  ]);
});

for (const ending of ["ts", "mts", "js", "mjs"]) {
  test(`a .${ending} file is a tool`, async () => {
    const record = await admitFiles(admission, { [`good.${ending}`]: good });
    assert.deepEqual([record.refused, record.broken, record.tools.length], [null, [], 1]);
  });
}

for (const name of ["Weather", "x", "1abc", "has space", "a".repeat(41), "a.b", "wörter"]) {
  test(`"${name}" is no folder name`, async () => {
    assert.match(await refusedAt(makeFolder({ "good.ts": good }, name)), /is not a capability's name; name the folder with/);
  });
}

for (const name of ["filesystem", "shell", "http", "application", "delegation", "journal", "knowledge", "planning"]) {
  test(`the name ${name} is taken, except for what is shipped`, async () => {
    const folder = makeFolder({ "good.ts": good }, name);
    assert.match(await refusedAt(folder), /belongs to a capability that comes with the engine/);
    assert.equal((await admission.admit(folder, { shipped: true })).refused, null);
  });
}

test("a folder without a tool file is refused", async () => {
  assert.match(await refusedAt(makeFolder({ "_helper.ts": good, "index.ts": "" })), /holds no tool file/);
});
test("a folder that is not there is refused", async () => {
  assert.equal(await refusedAt(path.join(makeTempDir(), "nothing")), 'There is no folder "nothing"; check its path');
});
test("a folder that is a file is refused", async () => {
  const file = path.join(makeTempDir(), "weather");
  writeFileSync(file, "");
  assert.match(await refusedAt(file), /"weather" is a file/);
});
test("a folder that is a link leading back to itself is refused", async () => {
  const link = path.join(makeTempDir(), "weather");
  symlinkSync(link, link);
  assert.match(await refusedAt(link), /cannot be read \(ELOOP\)/);
});
test("a folder that is a link to a folder is read as it", async () => {
  const link = path.join(makeTempDir(), "weather");
  symlinkSync(makeFolder({ "good.ts": good }), link);
  const record = await admission.admit(link, { shipped: false });
  assert.deepEqual([record.refused, record.name, record.tools.length], [null, "weather", 1]);
});
test("a folder with two indexes is refused", async () => {
  assert.match(await refusedAt(makeFolder({ "good.ts": good, "index.ts": "", "index.js": "" })), /both "index.js" and "index.ts"/);
});

const BROKEN: readonly (readonly [string, string | Uint8Array, RegExp])[] = [
  ["is empty", "", /The file is empty/],
  ["holds only a comment", "// nothing", /The file is empty/],
  ["has a syntax error", "\nexport const NAME = ;", /^2: Syntax error: Unexpected token/],
  ["is binary", new Uint8Array([0x7f, 0x45, 0x4c, 0x46, 0, 1, 2]), /not UTF-8 text/],
  ["is not UTF-8", new Uint8Array([0x22, 0xff, 0xfe, 0xfd, 0x22]), /not UTF-8 text/],
  ["is UTF-16", new Uint8Array(Buffer.from(`\ufeff${good}`, "utf16le")), /UTF-16; save it as UTF-8/],
  ["exports no NAME", 'export const DESCRIPTION = "d"; export const run = () => 1;', /exports no NAME/],
  ["exports no DESCRIPTION", 'export const NAME = "a"; export const run = () => 1;', /exports no DESCRIPTION/],
  ["exports no run", 'export const NAME = "a", DESCRIPTION = "d";', /exports no run/],
  ["exports run only by a star", 'export const NAME = "a", DESCRIPTION = "d"; export * from "./_r.ts";', /exports no run/],
  ["exports run as a string", 'export const NAME = "a", DESCRIPTION = "d", run = "r";', /run holds a string/],
  ["exports everything as default", 'export default { NAME: "a", run() {} };', /exports no NAME/],
  ["is CommonJS", 'exports.NAME = "a";', /exports no NAME/],
  [
    "builds its NAME by a function",
    'export const NAME = make(), DESCRIPTION = "d"; export const run = () => 1;',
    /^1: NAME holds a function call/,
  ],
  ["has a NAME with a space", tool("a b"), /NAME "a b" is not a tool's name/],
  ["has the NAME __proto__", tool("__proto__"), /NAME "__proto__" is not a tool's name/],
  ["has a NAME of 65 characters", tool("a".repeat(65)), /is not a tool's name/],
  ["has a NAME that is a number", 'export const NAME = 1, DESCRIPTION = "d"; export const run = () => 1;', /NAME has to be a string/],
  ["has an empty DESCRIPTION", 'export const NAME = "a", DESCRIPTION = " "; export const run = () => 1;', /DESCRIPTION is empty/],
  [
    "has an escape in its DESCRIPTION",
    'export const NAME = "a", DESCRIPTION = "d\\u001b[2J"; export const run = () => 1;',
    /invisible character U\+001B/,
  ],
  [
    "has a tag character in its DESCRIPTION",
    'export const NAME = "a", DESCRIPTION = "d\\u{e0041}"; export const run = () => 1;',
    /invisible character U\+E0041/,
  ],
  [
    "has a bidi override in its DESCRIPTION",
    'export const NAME = "a", DESCRIPTION = "d\\u202e"; export const run = () => 1;',
    /invisible character U\+202E/,
  ],
  [
    "has a C1 control in its DESCRIPTION",
    'export const NAME = "a", DESCRIPTION = "d\\u009b"; export const run = () => 1;',
    /invisible character U\+009B/,
  ],
  [
    "has hidden letters in a description within its INPUT_SCHEMA",
    withSchema('{ properties: { a: { type: "string", description: "fine\\u{e0041}" } } }'),
    /A `description` in INPUT_SCHEMA holds the invisible character U\+E0041/,
  ],
  [
    "has an escape in a title within its INPUT_SCHEMA",
    withSchema('{ properties: { a: { title: "d\\u001b[2J" } } }'),
    /A `title` in INPUT_SCHEMA holds the invisible character U\+001B/,
  ],
  [
    "has hidden letters in an enum",
    withSchema('{ properties: { a: { enum: ["\\u{e0041}"] } } }'),
    /INPUT_SCHEMA holds the invisible character U\+E0041/,
  ],
  ["has a bidi override in a property's name", withSchema('{ properties: { "a\\u202e": {} } }'), /invisible character U\+202E/],
  ["has half a character in a default", withSchema('{ properties: { a: { default: ["\\ud800"] } } }'), /invisible character U\+D800/],
  ["has a C1 control in an example", withSchema('{ properties: { a: { examples: [{ b: "\\u009b" }] } } }'), /invisible character U\+009B/],
];

function withSchema(schema: string): string {
  return `export const NAME = "a", DESCRIPTION = "d", INPUT_SCHEMA = ${schema}; export const run = () => 1;`;
}

test("data in a schema may hold controls that data needs, and a property may be called `description`", async () => {
  const schema =
    '{ properties: { description: { type: "string", default: "\\t" }, end: { enum: ["\\n", "\\r\\n", "\\u0000", "\\u001b"] } } }';
  const record = await admitFiles(admission, { "one.ts": withSchema(schema) });
  assert.deepEqual([record.broken, record.tools.length], [[], 1]);
});

for (const [what, content, reason] of BROKEN) {
  test(`a tool file that ${what} is broken, and its neighbour is taken`, async () => {
    const record = await admitFiles(admission, { "bad.ts": content, "good.ts": good });
    assert.match(brokenReason(record, "bad.ts"), reason);
    assert.deepEqual([record.refused, record.tools.map(({ name }) => name)], [null, ["good"]]);
  });
}

test("two tool files of one NAME are both broken and name each other", async () => {
  const record = await admitFiles(admission, { "a.ts": tool("same"), "b.ts": tool("same"), "good.ts": good });
  assert.match(brokenReason(record, "a.ts"), /^2: NAME "same" is also the NAME of b\.ts/);
  assert.match(brokenReason(record, "b.ts"), /^2: NAME "same" is also the NAME of a\.ts/);
  assert.deepEqual(
    record.tools.map(({ name }) => name),
    ["good"],
  );
});

test("run may come from another file", async () => {
  const record = await admitFiles(admission, {
    "a.ts": tool("a", { run: 'export { run } from "./_run.ts";' }),
    "_run.ts": "export const run = () => 1;",
  });
  assert.deepEqual([record.broken, record.tools.length], [[], 1]);
});

test("what is no regular file is broken without being waited for, and no path of the host is shown", async () => {
  const folder = makeFolder({ "good.ts": good });
  const secret = path.join(makeTempDir(), "secret.ts");
  writeFileSync(secret, good);
  mkdirSync(path.join(folder, "folder.ts"));
  execFileSync("mkfifo", [path.join(folder, "pipe.ts")]);
  symlinkSync(secret, path.join(folder, "outside.ts"));
  symlinkSync("loop.ts", path.join(folder, "loop.ts"));
  symlinkSync("gone.txt", path.join(folder, "dangling.ts"));
  symlinkSync("/dev/zero", path.join(folder, "device.ts"));
  const server = createServer().listen(path.join(folder, "socket.ts"));
  await once(server, "listening");
  const record = await admission.admit(folder, { shipped: false });
  server.close();
  assert.match(brokenReason(record, "folder.ts"), /a folder, not a regular file/);
  assert.match(brokenReason(record, "pipe.ts"), /a named pipe, not a regular file/);
  assert.match(brokenReason(record, "socket.ts"), /a socket, not a regular file/);
  assert.match(brokenReason(record, "outside.ts"), /link that leads out of the folder/);
  assert.match(brokenReason(record, "device.ts"), /link that leads out of the folder/);
  assert.match(brokenReason(record, "loop.ts"), /link that leads back to itself/);
  assert.match(brokenReason(record, "dangling.ts"), /not there any more/);
  assert.deepEqual(
    record.tools.map(({ name }) => name),
    ["good"],
  );
  assert.ok(!JSON.stringify(record).includes(path.dirname(secret)) && !JSON.stringify(record).includes(path.dirname(folder)));
});

test("a tool file that is a link inside the folder is taken", async () => {
  const folder = makeFolder({ "_real.ts": good });
  symlinkSync("_real.ts", path.join(folder, "good.ts"));
  const record = await admission.admit(folder, { shipped: false });
  assert.deepEqual([record.broken, record.tools.map(({ file }) => file)], [[], ["good.ts"]]);
});

test("a file and a folder that may not be read are named with the reason", async () => {
  const folder = makeFolder({ "good.ts": good, "locked.ts": good });
  chmodSync(path.dirname(folder), 0o755);
  chmodSync(path.join(folder, "locked.ts"), 0);
  const locked = makeFolder({ "good.ts": good }, "locked");
  chmodSync(path.dirname(locked), 0o755);
  chmodSync(locked, 0);
  const report = await admitAsNobody([folder, locked]);
  assert.match(report, /locked\.ts.*cannot be read \(EACCES\)/);
  assert.match(report, /The folder \\?"locked\\?" cannot be read \(EACCES\)/);
  chmodSync(locked, 0o755);
});

/** Root reads everything, so the reading is done under another user; as any other user, under one's own. */
async function admitAsNobody(folders: readonly string[]): Promise<string> {
  const script = `
    import { listFolder } from ${JSON.stringify(import.meta.resolve("../../src/admission/folder.ts"))};
    import { createInputs } from ${JSON.stringify(import.meta.resolve("../../src/admission/inputs.ts"))};
    const limits = { inputCount: 10, inputBytes: 10000, sourceBytes: 10000 };
    if (process.getuid() === 0) process.setuid(65534);
    for (const folder of JSON.parse(process.argv[1])) {
      try {
        const { root, toolFiles } = listFolder(folder, false, 10);
        for (const file of toolFiles) {
          try { createInputs(root, limits).read(file); } catch (error) { console.log(file, error.message); }
        }
      } catch (error) { console.log(error.message); }
    }`;
  const child = spawn(process.execPath, ["--input-type=module", "-e", script, JSON.stringify(folders)], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  let report = "";
  child.stdout.on("data", (chunk: Buffer) => (report += chunk.toString()));
  await once(child, "close");
  return report;
}
