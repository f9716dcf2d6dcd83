import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { openSync, closeSync } from "node:fs";
import { text } from "node:stream/consumers";
import { test } from "node:test";
import type { Attempt } from "../../src/bridge/probe.ts";
import { PLAIN, probe, wrapperOrReason } from "./keepers.ts";

// What each leaves open to a keeper that was taken over; all else is refused. SECURITY.md says so too.
const hasNetworkPermission = process.allowedNodeEnvironmentFlags.has("--allow-net");
const OPEN_BY_PLAIN: readonly Attempt[] = [
  ...(hasNetworkPermission ? [] : (["connect to the host's network", "connect to a Unix socket"] as const)),
  "send the host a signal",
];
const OPEN_BY_UNSHARE = OPEN_BY_PLAIN.filter((attempt) => attempt !== "connect to the host's network");

test("from inside a keeper nothing can be read, written, started, loaded, inspected or taken back", async () => {
  await assertOpen("plain", OPEN_BY_PLAIN);
});

const unshare = await wrapperOrReason("unshare");
test("without bubblewrap, unshare takes the network away", { skip: "reason" in unshare ? unshare.reason : false }, async () => {
  await assertOpen("unshare", OPEN_BY_UNSHARE);
});

const bubblewrap = await wrapperOrReason("bubblewrap");
test(
  "from inside bubblewrap no network, no socket and no process of the machine can be reached either",
  { skip: "reason" in bubblewrap ? bubblewrap.reason : false },
  async () => {
    const probed = await assertOpen("bubblewrap", []);
    assert.equal(probed.arrivals, 0);
  },
);

const needsProc = process.platform === "linux" ? false : "only Linux hands descriptors down";
test("a file that the host was itself started with is out of a cell's reach", { skip: needsProc }, async () => {
  const secret = openSync("/etc/passwd", "r");
  try {
    const script = `import { PLAIN, probe } from ${JSON.stringify(import.meta.resolve("./keepers.ts"))};
const { attempts } = await probe(PLAIN);
console.log(JSON.stringify(attempts.find(({ attempt }) => attempt === "use a descriptor of the host")));`;
    // Far past the few that Node itself closes.
    const stdio = ["ignore", "pipe", "inherit", ...Array.from({ length: 60 }, () => secret)] as const;
    const host = spawn(process.execPath, ["--input-type=module", "-e", script], { stdio: [...stdio] });
    assert.ok(host.stdout !== null);
    assert.deepEqual(JSON.parse(await text(host.stdout)), {
      attempt: "use a descriptor of the host",
      isRefused: true,
      detail: "none is open",
    });
  } finally {
    closeSync(secret);
  }
});

async function assertOpen(kind: "plain" | "unshare" | "bubblewrap", open: readonly Attempt[]) {
  const found = kind === "plain" ? { wrapper: null } : await wrapperOrReason(kind);
  assert.ok("wrapper" in found);
  const probed = await probe({ ...PLAIN, wrapper: found.wrapper });
  const through = probed.attempts.filter(({ isRefused }) => !isRefused).map(({ attempt }) => attempt);
  assert.deepEqual(through, [...open]);
  assert.equal(probed.coreLimit, 0);
  assert.equal(probed.isKilled, true);
  return probed;
}
