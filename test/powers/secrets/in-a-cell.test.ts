import assert from "node:assert/strict";
import { test } from "node:test";
import { createVault } from "../../../src/powers/secrets/vault.ts";
import { toolFile, type Files } from "../../support/capabilities.ts";
import { makeEngine } from "../../support/engines.ts";

const FILES: Files = {
  "weather/index.js": `export const LABEL = "Demo"; export const PERMISSIONS = { secrets: [{ name: "KEY", hosts: ["api.example.com"] }] };`,
  "weather/look.js": toolFile(
    "look",
    `const run = async ({ secrets }) => {
      const secret = await secrets.get("KEY");
      return { text: \`Bearer \${secret}\`, payload: { json: { secret }, frozen: Object.isFrozen(secret), keys: Reflect.ownKeys(secret), name: secret.name } };
    }`,
  ),
  "weather/steal.js": toolFile("steal", `const run = async ({ secrets }) => String(await secrets.get("OTHER"));`),
};

test("a tool gets a stand-in that holds nothing of the value, and only for a secret that is granted", async () => {
  await using made = await makeEngine(FILES);
  const vault = createVault({ home: made.home, keyring: () => Promise.resolve(null) });
  await vault.set("OTHER", "another value");
  assert.equal((await made.engine.call("look")).error?.code, "PERMISSION_DENIED");
  await made.engine.grant("weather");
  const missing = await made.engine.call("look");
  assert.match(missing.text, /toolcell secret set KEY/);
  await vault.set("KEY", "the value itself");
  const { text, payload, effects } = await made.engine.call("look");
  const standIn = text.slice("Bearer ".length);
  assert.match(standIn, /^toolcell-secret-[0-9a-f]{32}$/);
  assert.deepEqual(payload, { json: { secret: standIn }, frozen: true, keys: ["name", "toString", "toJSON"], name: "KEY" });
  assert.ok(!JSON.stringify([text, payload, effects]).includes("value itself"));
  assert.deepEqual(effects, [{ power: "secrets", target: "KEY", state: "done" }]);
  const stolen = await made.engine.call("steal");
  assert.equal(stolen.error?.code, "PERMISSION_DENIED");
  assert.match(stolen.text, /"OTHER"/);
});
