import assert from "node:assert/strict";
import { test } from "node:test";
import { admitFiles, makeFolder, sharedAdmission, tool } from "./a-folder.ts";

const admission = sharedAdmission();
const good = tool("good");

test("what an index says is in the record", async () => {
  const index = `
    const hosts = ["api.example.com", "*.example.org:8443", "public"];
    export const LABEL = "Weather", DESCRIPTION = "Looks it up.", VERSION = "1.2.3", LICENSE = "MIT", HOMEPAGE = "https://example.com/";
    export const PERMISSIONS = { network: hosts, workspace: "read", home: "write", storage: true, process: ["git"], wasm: false,
      secrets: [{ name: "WEATHER_KEY", hosts: ["api.example.com"] }], reason: { network: "To look it up." } };
    export const RUNTIME = "worker";
    export const LIMITS = { callMs: 1000, cpuMs: 500, memoryBytes: 1, resultBytes: 2, concurrency: 3 };`;
  const record = await admitFiles(admission, { "index.ts": index, "good.ts": good });
  assert.equal(record.refused, null);
  const { label, description, version, license, homepage, runtime, limits, permissions } = record;
  assert.deepEqual(
    [label, description, version, license, homepage, runtime],
    ["Weather", "Looks it up.", "1.2.3", "MIT", "https://example.com/", "worker"],
  );
  assert.deepEqual(limits, { callMs: 1000, cpuMs: 500, memoryBytes: 1, resultBytes: 2, concurrency: 3 });
  assert.deepEqual(permissions?.["network"], ["api.example.com", "*.example.org:8443", "public"]);
  assert.deepEqual(permissions?.["secrets"], [{ name: "WEATHER_KEY", hosts: ["api.example.com"] }]);
});

test("INTERNAL and REQUIRED have no effect in a package, and the record says so", async () => {
  const folder = makeFolder({ "index.ts": "export const INTERNAL = true;\nexport const REQUIRED = make();", "good.ts": good });
  const asPackage = await admission.admit(folder, { shipped: false });
  assert.deepEqual([asPackage.refused, asPackage.internal, asPackage.required], [null, false, false]);
  assert.deepEqual(
    asPackage.ignored.map(({ file, line, reason }) => `${file}:${line} ${reason.split(" ")[0]}`),
    ["index.ts:1 INTERNAL", "index.ts:2 REQUIRED"],
  );
});

test("INTERNAL and REQUIRED hold for what is shipped", async () => {
  const folder = makeFolder({ "index.ts": "export const INTERNAL = true, REQUIRED = true;", "good.ts": good });
  const record = await admission.admit(folder, { shipped: true });
  assert.deepEqual([record.internal, record.required, record.ignored], [true, true, []]);
});

const REFUSED: readonly (readonly [string, RegExp])[] = [
  ["export const LABEL = ;", /^index\.ts:1: Syntax error/],
  ["\nexport const LABEL = make();", /^index\.ts:2: LABEL holds a function call/],
  ["export const LABEL = 1;", /LABEL has to be a string/],
  ['export const LABEL = "a\\u202eb";', /LABEL holds the invisible character U\+202E/],
  ['export const HOMEPAGE = "javascript:alert(1)";', /HOMEPAGE "javascript:alert\(1\)" is not a web address/],
  ['export const RUNTIME = "process";', /RUNTIME has to be "isolate" or "worker"/],
  ["export const LIMITS = [];", /LIMITS has to be an object/],
  ["export const LIMITS = { wallMs: 1 };", /LIMITS knows no "wallMs"; it may hold callMs, cpuMs/],
  ["export const LIMITS = { callMs: 0 };", /LIMITS\.callMs has to be a whole number above 0/],
  ["export const LIMITS = { callMs: 0.5 };", /LIMITS\.callMs has to be a whole number above 0/],
  ["export const LIMITS = { callMs: -1 };", /LIMITS\.callMs has to be a whole number above 0/],
  ['export const LIMITS = { callMs: "1" };', /LIMITS\.callMs has to be a whole number above 0/],
  ["export const LIMITS = { callMs: 1e999 };", /LIMITS\.callMs has to be a whole number above 0/],
  ["export const PERMISSIONS = true;", /PERMISSIONS has to be an object/],
  ["export const PERMISSIONS = { fetch: [] };", /PERMISSIONS knows no "fetch"; it may hold network/],
  ['export const PERMISSIONS = { network: "a.com" };', /PERMISSIONS\.network has to be an array of hosts/],
  ['export const PERMISSIONS = { network: ["*"] };', /PERMISSIONS\.network\[0\] asks for every host with "\*"/],
  ['export const PERMISSIONS = { network: ["*:443"] };', /asks for every host/],
  ['export const PERMISSIONS = { network: ["https://a.com"] };', /"https:\/\/a\.com" is no host/],
  ['export const PERMISSIONS = { network: ["a.com/path"] };', /is no host/],
  ['export const PERMISSIONS = { network: ["a.*.com"] };', /is no host/],
  ['export const PERMISSIONS = { network: ["a.com:0"] };', /is no host/],
  ['export const PERMISSIONS = { network: ["a.com:65536"] };', /is no host/],
  ['export const PERMISSIONS = { network: ["user@a.com"] };', /is no host/],
  ['export const PERMISSIONS = { network: [""] };', /is no host/],
  ["export const PERMISSIONS = { network: [1] };", /network\[0\] has to be a string/],
  ['export const PERMISSIONS = { workspace: "all" };', /workspace has to be "read" or "write"/],
  ['export const PERMISSIONS = { storage: "yes" };', /storage has to be true or false/],
  ['export const PERMISSIONS = { secrets: ["KEY"] };', /secrets\[0\] has to be \{ name, hosts \}/],
  ['export const PERMISSIONS = { secrets: [{ hosts: ["a.com"] }] };', /secrets\[0\]\.name has to be given/],
  ['export const PERMISSIONS = { secrets: [{ name: "KEY", hosts: [] }] };', /at least one host/],
  ['export const PERMISSIONS = { secrets: [{ name: "KEY", hosts: ["public"], extra: 1 }] };', /is no host|knows no/],
  ['export const PERMISSIONS = { secrets: [{ name: "KEY", hosts: ["a.com"], extra: 1 }] };', /secrets\[0\] knows no "extra"/],
  ['export const PERMISSIONS = { process: ["/bin/sh"] };', /process\[0\] has to be the name of a program/],
  ['export const PERMISSIONS = { reason: { fetch: "x" } };', /reason knows no "fetch"/],
  ["export const PERMISSIONS = { reason: { network: 1 } };", /reason\.network has to be a sentence/],
  ['export const PERMISSIONS = { reason: { network: "a\\u001b[2J" } };', /visible characters/],
];

for (const [index, reason] of REFUSED) {
  test(`the index \`${index.trim()}\` is why the whole capability is refused`, async () => {
    const record = await admitFiles(admission, { "index.ts": index, "good.ts": good });
    assert.match(record.refused ?? "not refused", reason);
    assert.deepEqual([record.tools, record.bundleHash, record.permissions], [[], null, null]);
  });
}

test("an index that is not text is named without a line", async () => {
  const record = await admitFiles(admission, { "index.ts": new Uint8Array([0, 1]), "good.ts": good });
  assert.match(record.refused ?? "", /^index\.ts: The file is not UTF-8 text/);
});
