import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { text } from "node:stream/consumers";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

const PROGRAM = fileURLToPath(new URL("../../hazards/run.ts", import.meta.url));

test("the hazards program tells what contains a case from what does not", async () => {
  const child = spawn(process.execPath, [PROGRAM, "--quick"], { stdio: ["ignore", "pipe", "inherit"] });
  const [lines, code] = await Promise.all([text(child.stdout), new Promise((resolve) => child.once("close", resolve))]);
  const said = (hazard: string, driver: string): string =>
    new RegExp(`^\\d+/12 ${hazard} ${driver}: (.*)$`, "mu").exec(lines)?.[1] ?? "nothing";
  for (const hazard of ["loop_forever", "sort_huge", "through_a_host_function"]) assert.equal(said(hazard, "cell"), "contained", lines);
  assert.equal(said("loop_forever", "node:vm"), "contained");
  assert.match(said("sort_huge", "isolated-vm"), /^no: the host process/u);
  assert.match(said("through_a_host_function", "node:vm"), /^no: it read what is the host's/u);
  assert.match(said("loop_forever", "worker"), /^contained/u);
  assert.equal(code, 0);
});
