import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import type { Server } from "node:http";
import { createEngine, type Outcome } from "toolcell";
import { startMyApiService } from "../../examples/myapi-service.ts";
import { filesOf, portOf } from "./an-example.ts";
import { makeCommandAgent, type CommandAgent } from "../cli/an-agent.ts";
import { writeFiles } from "../support/capabilities.ts";

const KEY = "a-key-for-the-example";

describe("the module with one tool", () => {
  let agent: CommandAgent;
  before(() => {
    agent = makeCommandAgent(filesOf("my_tool"));
  });
  after(() => agent[Symbol.dispose]());

  test("works from a shell", async () => {
    const { stdout, stderr, code } = await agent.run(["call", "my_tool", "action", "a text", "--param2", "3"]);
    assert.deepEqual([code, stdout, stderr], [0, '{"result":"Processed a text with 3"}\n', ""]);
    assert.equal((await agent.run(["call", "my_tool_action", "a text"])).stdout, '{"result":"Processed a text with 10"}\n');
    const unfit = await agent.run(["call", "my_tool", "action", "a text", "--param2", "0"]);
    assert.equal(unfit.code, 1);
    assert.match(unfit.stderr, /`param2` must be >= 1/u);
  });

  test("works from the engine", async () => {
    await using engine = await createEngine({ home: agent.home, agentDir: agent.agent, watch: false });
    const outcome = await engine.call("my_tool_action", { param1: "a text" });
    assert.deepEqual([outcome.ok, outcome.capability, outcome.payload], [true, "my_tool", { result: "Processed a text with 10" }]);
    const tool = engine.tools().find(({ name }) => name === "my_tool_action");
    assert.deepEqual([tool?.kind, tool?.source], ["module", "personal"]);
  });
});

describe("the module of a service with a key", () => {
  let agent: CommandAgent;
  let service: Server;
  before(async () => {
    service = await startMyApiService(0);
    agent = makeCommandAgent(filesOf("myapi", service, 8766));
  });
  after(() => {
    service.close();
    agent[Symbol.dispose]();
  });

  test("says from a shell what is missing, one after the other, until it works", async () => {
    const query = ["call", "myapi", "query", "search term", "--limit", "10"];
    const host = `127.0.0.1:${portOf(service)}`;
    const ungranted = await agent.run(query);
    assert.equal(ungranted.code, 1);
    assert.match(ungranted.stderr, /The credential "myapi" is not granted.*toolcell grant/u);

    const granted = await agent.run(["grant", "myapi", "--yes"]);
    assert.deepEqual([granted.code, granted.stdout], [0, `"myapi" is granted network: ${host}; secrets: MYAPI_KEY, sent to ${host}.\n`]);

    const unset = await agent.run(query);
    assert.equal(unset.code, 1);
    assert.match(unset.stderr, /myapi_tool has no credential "myapi".*<home>\/config\.json.*secrets\.json.*credentials\.json.*MYAPI_KEY/u);

    // As an environment would have it, whose key is an old one.
    assert.match((await agent.run(query, { env: { MYAPI_KEY: "an-old-key-of-somebody" } })).stderr, /does not take the key/u);

    assert.equal((await agent.run(["secret", "set", "MYAPI_KEY"], { input: KEY })).code, 0);
    const found = await agent.run(query);
    assert.deepEqual([found.code, found.stderr], [0, ""]);
    assert.deepEqual(JSON.parse(found.stdout), [{ title: "Search terms and how to choose them" }, { title: "A search term a day" }]);

    const asJson = await agent.run([...query, "--json"]);
    const outcome = JSON.parse(asJson.stdout) as Outcome;
    assert.deepEqual(outcome.effects, [
      { power: "secrets", target: "myapi", state: "done" },
      { power: "network", target: `GET http://${host}/search`, state: "done" },
    ]);
    assert.ok(!asJson.stdout.includes(KEY));
  });

  test("works from the engine, with the key from config.json", async () => {
    writeFiles(agent.home, { "config.json": JSON.stringify({ credentials: { myapi: { api_key: KEY } } }) });
    await using engine = await createEngine({ home: agent.home, agentDir: agent.agent, watch: false, policy: { grant: () => true } });
    const posted = await engine.call("myapi_post", { data: "some words" });
    assert.deepEqual([posted.ok, posted.payload], [true, { id: 1 }]);
    const found = await engine.call("myapi_query", { query: "without" });
    assert.deepEqual(found.payload, [{ title: "Searching without terms" }]);
    assert.ok(!JSON.stringify([posted, found]).includes(KEY));
  });

  test("has in its listing what may run in the background", async () => {
    await using engine = await createEngine({ home: agent.home, agentDir: agent.agent, watch: false });
    const profiles = Object.fromEntries(
      engine
        .tools()
        .filter(({ capability }) => capability === "myapi")
        .map(({ name, profile }) => [name, profile]),
    );
    assert.deepEqual(profiles["myapi_query"], { expectedSeconds: 2, backgroundEligible: true, gated: false, retrySafe: true });
    assert.equal(profiles["myapi_post"]?.backgroundEligible, false);
  });
});
