import assert from "node:assert/strict";
import type { Server } from "node:http";
import { mkdirSync, symlinkSync } from "node:fs";
import path from "node:path";
import { after, before, test } from "node:test";
import { createEngine } from "toolcell";
import { startFabricService } from "../../examples/fabric-service.ts";
import { makeTempFolder, writeFiles, type TempFolder } from "../support/capabilities.ts";
import { runCommand } from "../support/command.ts";
import { filesOf } from "./an-example.ts";

const MODULES = new URL("../../node_modules", import.meta.url).pathname;
const COUNTERS = "link_0_tx_bytes=1048576\nlink_0_rx_bytes=524288\nlink_0_crc_errors=0";

let service: Server;
let temp: TempFolder;
before(async () => {
  service = await startFabricService(0);
  temp = makeTempFolder();
  const installed = path.join(temp.path, "node_modules");
  writeFiles(temp.path, { "package.json": '{ "name": "a-project", "dependencies": { "fabric-counters": "1.0.0" } }' });
  writeFiles(path.join(installed, "fabric-counters"), filesOf("fabric-counters", service, 8767));
  // Installed beside it, as npm does: copy @langchain/core, zod and what they need with cpSync(..., { dereference: true }) if links out of the project are refused.
  mkdirSync(path.join(installed, "@langchain"));
  symlinkSync(path.join(MODULES, "@langchain/core"), path.join(installed, "@langchain/core"));
  symlinkSync(path.join(MODULES, "zod"), path.join(installed, "zod"));
});
after(() => {
  service.close();
  temp[Symbol.dispose]();
});

test("the LangChain tool of the package works from a shell", async () => {
  const env = { TOOLCELL_HOME: path.join(temp.path, "home") };
  const run = (words: readonly string[]) => runCommand(words, { env, cwd: temp.path });
  assert.match(
    (await run(["tools"])).stdout,
    /^read_fabric_counters {2}\[fabric-counters\]\n {4}Read the fabric performance counters for one node\.$/mu,
  );
  assert.equal((await run(["grant", "fabric-counters", "--yes"])).code, 0);
  assert.equal((await run(["call", "read_fabric_counters", "node7"])).stdout, `${COUNTERS}\n`);
  assert.equal((await run(["call", "read_fabric_counters", "--node", "node8"])).stdout.slice(0, 6), "Error:");
});

test("and from the engine", async () => {
  await using engine = await createEngine({
    home: path.join(temp.path, "home"),
    plugins: temp.path,
    watch: false,
    policy: { grant: () => true },
  });
  assert.equal((await engine.call("read_fabric_counters", { node: "node7" })).text, COUNTERS);
  assert.equal((await engine.call("read_fabric_counters", { node: "" })).error?.code, "INVALID_ARGUMENTS");
});
