import assert from "node:assert/strict";
import path from "node:path";
import { after, before, test } from "node:test";
import type { Server } from "node:http";
import { startWeatherService } from "../../examples/weather-service.ts";
import { makeTempFolder, writeFiles } from "../support/capabilities.ts";
import { runCommand } from "../support/command.ts";
import { filesOf } from "./an-example.ts";

const KEY = "a-key-for-the-example";

let service: Server;
before(async () => {
  service = await startWeatherService(0);
});
after(() => service.close());

test("the weather example works from a shell, once it is granted what it asks for", async () => {
  using temp = makeTempFolder();
  writeFiles(path.join(temp.path, "capabilities", "weather"), filesOf("weather", service, 8765));
  const env = { TOOLCELL_HOME: path.join(temp.path, "home") };
  const run = (words: readonly string[], input = "") =>
    runCommand([...words, "--capabilities", path.join(temp.path, "capabilities")], { env, input });
  assert.match((await run(["call", "get_weather", "Kyoto"])).stderr, /WEATHER_KEY.*toolcell grant/u);
  assert.equal((await run(["grant", "weather", "--yes"])).code, 0);
  assert.equal((await run(["secret", "set", "WEATHER_KEY"], KEY)).code, 0);
  const kyoto = await run(["call", "get_weather", "--place", "Kyoto", "--days", "2"]);
  assert.deepEqual(
    [kyoto.code, kyoto.stdout, kyoto.stderr],
    [0, "Kyoto: 18 C, light rain.\n2026-05-01: 12 to 19 C\n2026-05-02: 13 to 22 C\n", ""],
  );
  const daytn = await run(["call", "get_weather", "Daytn"]);
  assert.deepEqual(
    [daytn.code, daytn.stdout, daytn.stderr],
    [1, "", "get_weather failed: No place called 'Daytn' was found. Check the spelling.\n"],
  );
  assert.equal((await run(["call", "get_weather", "Kyoto", "--days", "two"])).code, 2);
});
