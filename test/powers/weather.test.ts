import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { Server } from "node:http";
import { startWeatherService } from "../../examples/weather-service.ts";
import { makeEngine, type TestEngine } from "../support/engines.ts";

const EXAMPLES = new URL("../../examples", import.meta.url).pathname;
const KEY = "a-key-for-the-example";

let service: Server;
let made: TestEngine;

before(async () => {
  service = await startWeatherService();
  made = await makeEngine({}, { capabilities: [EXAMPLES] });
});
after(async () => {
  await made[Symbol.asyncDispose]();
  service.close();
});

test("the weather example says plainly what is missing, one after the other, until it works", async () => {
  const { engine } = made;
  const ask = (place = "Kyoto") => engine.call("get_weather", { place });

  const ungranted = await ask();
  assert.equal(ungranted.error?.code, "PERMISSION_DENIED");
  assert.match(ungranted.text, /WEATHER_KEY.*toolcell grant/u);
  assert.deepEqual(ungranted.effects, [{ power: "secrets", target: "WEATHER_KEY", state: "refused" }]);

  await engine.grant("weather", { secrets: [{ name: "WEATHER_KEY", hosts: ["127.0.0.1:8765"] }] });
  assert.match((await ask()).text, /toolcell secret set WEATHER_KEY/u);

  await engine.secrets.set("WEATHER_KEY", KEY);
  const offline = await ask();
  assert.equal(offline.error?.code, "PERMISSION_DENIED");
  assert.match(offline.text, /127\.0\.0\.1:8765.*toolcell grant weather/u);

  await engine.grant("weather");
  const told = await ask();
  assert.equal(told.text, "Kyoto: 18 C, light rain.\n2026-05-01: 12 to 19 C\n2026-05-02: 13 to 22 C\n2026-05-03: 15 to 24 C");
  assert.deepEqual(told.effects, [
    { power: "secrets", target: "WEATHER_KEY", state: "done" },
    { power: "network", target: "GET http://127.0.0.1:8765/forecast", state: "done" },
    { power: "storage", target: "last:Kyoto", state: "done" },
  ]);
  assert.equal((await ask("Daytn")).text, "get_weather failed: No place called 'Daytn' was found. Check the spelling.");

  await engine.revoke("weather");
  assert.equal((await ask()).error?.code, "PERMISSION_DENIED");
  assert.doesNotMatch(JSON.stringify([told, offline, made.log]), new RegExp(KEY, "u"));
});
