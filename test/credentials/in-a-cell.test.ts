import assert from "node:assert/strict";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { afterEach, test } from "node:test";
import { getCredential, ToolConfigError, ToolError } from "toolcell/tool";
import { writeFiles } from "../support/capabilities.ts";
import { makeEngine } from "../support/engines.ts";

const VALUE = "the value itself, 4711";
const STAND_IN = /^toolcell-secret-[0-9a-f]{32}$/u;
const ASKED = `{ credentialName: "demo", toolName: "demo_tool", envVar: "TOOLCELL_TEST_DEMO_KEY" }`;

/** A tool that asks for a credential, and says what it got. */
const TOOL = `import { getCredential, ToolConfigError, ToolError } from "toolcell/tool";
export const NAME = "demo_ask";
export const DESCRIPTION = "Asks for a credential.";
export const INPUT_SCHEMA = { type: "object", properties: { url: { type: "string" }, asked: { type: "object" } } };
export async function run(context, { url, asked }) {
  try {
    const key = await getCredential(asked ?? ${ASKED});
    const answer = url === undefined ? null : await (await fetch(url, { headers: { authorization: "Bearer " + key } })).text();
    return { text: key, payload: { key, reversed: [...key].reverse().join(""), type: typeof key, answer } };
  } catch (error) {
    if (error instanceof ToolConfigError) context.log.info("a ToolConfigError, and a ToolError: " + (error instanceof ToolError) + " " + error.name);
    throw error;
  }
}
`;

function files(permissions: string, runtime = "") {
  const index = `export const LABEL = "Demo"; export const PERMISSIONS = ${permissions}; ${runtime}`;
  return { "demo/index.js": index, "demo/demo_ask.js": TOOL };
}

afterEach(() => {
  delete process.env["TOOLCELL_TEST_DEMO_KEY"];
});

test("a tool is given what stands for a credential, and the service the value", async () => {
  const seen: unknown[] = [];
  const server = createServer((request, response) => {
    seen.push(request.headers.authorization);
    response.end(`you sent ${request.headers.authorization ?? ""}`);
  }).listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  try {
    const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
    await using made = await makeEngine(files(`{ network: ["${host}"], secrets: [{ name: "demo", hosts: ["${host}"] }] }`));
    writeFiles(made.home, { "config.json": JSON.stringify({ credentials: { demo: { api_key: VALUE } } }) });
    assert.equal((await made.engine.call("demo_ask")).error?.code, "PERMISSION_DENIED");
    await made.engine.grant("demo");
    const outcome = await made.engine.call("demo_ask", { url: `http://${host}/` });
    const { type, answer } = outcome.payload as Record<string, string>;
    assert.match(outcome.text, STAND_IN);
    assert.deepEqual([type, answer, seen], ["string", "you sent Bearer [secret demo]", [`Bearer ${VALUE}`]]);
    assert.ok(!JSON.stringify([outcome, made.log]).includes("4711"));
  } finally {
    server.close();
  }
});

test("a tool of the worker runtime is given the same, and its ToolConfigError is one there too", async () => {
  const permissions = '{ secrets: [{ name: "demo", hosts: ["api.example.com"], value: true }] }';
  await using made = await makeEngine(files(permissions, 'export const RUNTIME = "worker";'));
  await made.engine.trust("demo");
  await made.engine.grant("demo", { secrets: [{ name: "demo", hosts: ["api.example.com"] }] });
  assert.equal((await made.engine.call("demo_ask")).error?.code, "TOOL_ERROR");
  assert.ok(made.log.some(({ message }) => message === "a ToolConfigError, and a ToolError: true ToolConfigError"));
  writeFiles(made.home, { "config.json": JSON.stringify({ credentials: { demo: { api_key: VALUE } } }) });
  assert.match((await made.engine.call("demo_ask")).text, STAND_IN);
  await made.engine.grant("demo");
  assert.equal((await made.engine.call("demo_ask")).text, "[secret demo]");
});

test("the value itself is given only where the grant says so, and a model does not read it all the same", async () => {
  const asks = '{ secrets: [{ name: "TOOLCELL_TEST_DEMO_KEY", hosts: ["api.example.com"], value: true }] }';
  process.env["TOOLCELL_TEST_DEMO_KEY"] = VALUE;
  await using made = await makeEngine(files(asks));
  const ask = async () => (await made.engine.call("demo_ask")) as { text: string; payload: { reversed: string } };

  await made.engine.grant("demo", { secrets: [{ name: "TOOLCELL_TEST_DEMO_KEY", hosts: ["api.example.com"] }] });
  assert.match((await ask()).text, STAND_IN);

  await made.engine.grant("demo");
  const { text, payload } = await ask();
  assert.equal(text, "[secret demo]");
  assert.equal(Array.from(payload.reversed).reverse().join(""), VALUE);
});

test("a value cannot be granted that was not asked for", async () => {
  await using made = await makeEngine(files('{ secrets: [{ name: "demo", hosts: ["api.example.com"] }] }'));
  const grant = made.engine.grant("demo", { secrets: [{ name: "demo", hosts: ["api.example.com"], value: true }] });
  await assert.rejects(grant, { code: "NOT_ASKED" });
});

test("a secret whose value is asked for needs no host, and any other needs one", async () => {
  await using value = await makeEngine(files('{ secrets: [{ name: "demo", value: true }] }'));
  assert.deepEqual(value.engine.capabilities().find(({ name }) => name === "demo")?.permissions, {
    secrets: [{ name: "demo", value: true }],
  });
  await value.engine.grant("demo");
  writeFiles(value.home, { "config.json": JSON.stringify({ credentials: { demo: { api_key: VALUE } } }) });
  assert.equal((await value.engine.call("demo_ask")).text, "[secret demo]");
  for (const wrong of ['{ name: "demo" }', '{ name: "demo", value: false }', '{ name: "demo", value: "yes", hosts: ["a.example"] }']) {
    await using refused = await makeEngine(files(`{ secrets: [${wrong}] }`));
    assert.match(refused.engine.capabilities().find(({ name }) => name === "demo")?.refused ?? "", /PERMISSIONS\.secrets\[0\]/u);
  }
});

test("a credential that no place has is a ToolConfigError, in the host's words and with no path of the machine", async () => {
  await using made = await makeEngine(files('{ secrets: [{ name: "demo", hosts: ["api.example.com"] }] }'));
  await made.engine.grant("demo");
  const outcome = await made.engine.call("demo_ask");
  assert.equal(outcome.error?.code, "TOOL_ERROR");
  assert.match(
    outcome.text,
    /demo_tool has no credential "demo" \(api_key\)\. Looked for in this order: .*<home>\/config\.json; .*toolcell secret set/u,
  );
  assert.ok(!outcome.text.includes(path.dirname(made.home)));
  assert.ok(made.log.some(({ message }) => message === "a ToolConfigError, and a ToolError: true ToolConfigError"));
  assert.deepEqual(outcome.effects, [{ power: "secrets", target: "demo", state: "refused" }]);
});

test("what a tool asks for in no form is its own mistake, and no name of it reaches the machine", async () => {
  await using made = await makeEngine(files('{ secrets: [{ name: "demo", hosts: ["api.example.com"] }] }'));
  await made.engine.grant("demo");
  for (const asked of [
    {},
    { credentialName: "demo" },
    { credentialName: "demo", toolName: "x".repeat(101) },
    { credentialName: "a/b", toolName: "t" },
  ]) {
    const outcome = await made.engine.call("demo_ask", { asked });
    assert.equal(outcome.error?.code, "TOOL_EXCEPTION", outcome.text);
    assert.match(outcome.text, /credentialName|toolName/u);
  }
});

test("in an author's unit tests the environment is the only place", async () => {
  const asked = { credentialName: "demo", toolName: "demo_tool", envVar: "TOOLCELL_TEST_DEMO_KEY" };
  await assert.rejects(getCredential(asked), (error: unknown) => {
    assert.ok(error instanceof ToolConfigError && error instanceof ToolError);
    assert.match(error.message, /demo_tool has no credential "demo": outside a cell, set TOOLCELL_TEST_DEMO_KEY/u);
    return true;
  });
  process.env["TOOLCELL_TEST_DEMO_KEY"] = VALUE;
  assert.equal(await getCredential(asked), VALUE);
});
