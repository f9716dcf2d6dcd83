import assert from "node:assert/strict";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { makeTempFolder, toolFile, type Files } from "../../support/capabilities.ts";
import { makeEngine } from "../../support/engines.ts";

const GRAB = `const grab = async (step) => { try { return await step(); } catch (error) { return [error.code, error.syscall, error.path]; } };`;
const FILES: Files = {
  "demo/index.js": `export const LABEL = "Demo"; export const PERMISSIONS = { workspace: "write" };`,
  "demo/large.js": toolFile(
    "large",
    `const run = async ({ fs }) => {
      const bytes = await fs.readBytes("large.bin");
      const text = await fs.readText("text.txt");
      await fs.write("/tmp/text.txt", text);
      await fs.write("copy.bin", bytes);
      return { text: "ok", payload: [bytes.length, bytes[0], bytes[bytes.length - 1], text.length, (await fs.readText("/tmp/text.txt")) === text] };
    }`,
  ),
  "demo/node.js": toolFile(
    "node",
    `const run = async () => {
      await mkdir("a/b", { recursive: true });
      await writeFile("a/x.txt", "1");
      await appendFile("a/x.txt", "\\u00e9");
      await rename("a/x.txt", "a/y.txt");
      await copyFile("a/y.txt", "a/z.txt");
      const found = (await readdir("a", { withFileTypes: true })).map((entry) => [entry.name, entry.isFile()]);
      const { size } = await stat("a/y.txt");
      const told = {
        missing: await grab(() => readFile("no/file")), outside: await grab(() => readFile("/etc/passwd")),
        exclusive: await grab(() => writeFile("a/y.txt", "", { flag: "wx" })), full: await grab(() => rmdir("a")),
        folder: await grab(() => unlink("a/b")), sync: await grab(() => nodeFs.readFileSync("a/y.txt")), mode: await grab(() => chmod("a/y.txt", 0)),
        bytes: await grab(() => readFile(new Uint8Array([47]))), url: await grab(() => readFile({ href: "file:///etc/passwd" })), fd: await grab(() => readFile(0)),
      };
      const text = await promises.readFile("a/y.txt", { encoding: "utf8" });
      await rm("a", { recursive: true });
      await rm("a", { force: true });
      return { text, payload: { found, size, told } };
    }`,
    {
      code: `import nodeFs, { promises } from "node:fs";
import { appendFile, chmod, copyFile, mkdir, readFile, readdir, rename, rm, rmdir, stat, unlink, writeFile } from "fs/promises"; ${GRAB}`,
    },
  ),
  "demo/uncaught.js": toolFile("uncaught", `const run = async () => await readFile("/etc/passwd", "utf8");`, {
    code: `import { readFile } from "node:fs/promises";`,
  }),
  "demo/early.js": toolFile("early", `const run = async ({ fs }) => [await refused, await fs.exists("text.txt")];`, {
    code: `import { readFile } from "node:fs/promises"; const refused = readFile("text.txt").then(() => "read", (error) => error.message);`,
  }),
};

test("a sealed tool reads and writes files through context.fs and fs/promises, and nothing outside", async () => {
  using workspace = makeTempFolder();
  const text = "日本é😀\n".repeat(200_000);
  writeFileSync(path.join(workspace.path, "large.bin"), Buffer.alloc(10_000_000, 200));
  writeFileSync(path.join(workspace.path, "text.txt"), text);
  mkdirSync(path.join(workspace.path, ".git"));
  await using made = await makeEngine(FILES, { workspace: workspace.path });
  assert.equal((await made.engine.call("large")).error?.code, "PERMISSION_DENIED");
  await made.engine.grant("demo");

  const large = await made.engine.call("large");
  assert.deepEqual(large.payload, [10_000_000, 200, 200, text.length, true]);
  assert(readFileSync(path.join(workspace.path, "copy.bin")).equals(Buffer.alloc(10_000_000, 200)));

  const node = await made.engine.call("node");
  assert.equal(node.text, "1é");
  assert.deepEqual(node.payload, {
    found: [
      ["b", false],
      ["y.txt", true],
      ["z.txt", true],
    ],
    size: 3,
    told: {
      missing: ["ENOENT", "open", "no/file"],
      outside: ["EACCES", "open", "/etc/passwd"],
      exclusive: ["EEXIST", "open", "a/y.txt"],
      full: ["ENOTEMPTY", "rmdir", "a"],
      folder: ["EISDIR", "unlink", "a/b"],
      sync: ["ERR_METHOD_NOT_IMPLEMENTED", null, null],
      mode: ["ERR_METHOD_NOT_IMPLEMENTED", null, null],
      bytes: ["ERR_INVALID_ARG_TYPE", null, null],
      url: ["ERR_INVALID_ARG_TYPE", null, null],
      fd: ["ERR_INVALID_ARG_TYPE", null, null],
    },
  });

  const uncaught = await made.engine.call("uncaught");
  assert.deepEqual([uncaught.error?.code, uncaught.error?.retrySafe], ["PERMISSION_DENIED", true]);
  assert(!JSON.stringify(uncaught).includes(workspace.path));
  const early = await made.engine.call("early");
  assert.match(early.text, /The host can be asked for something in `run`/u);
});
