import assert from "node:assert/strict";
import { test } from "node:test";
import { makeProject, readBlocks, readPage } from "./pages.ts";

const WEATHER = ["index.ts", "get_weather.ts", "_forecast.ts"];

test("every block of the guide for embedders runs", () => {
  using project = makeProject();
  for (const block of readBlocks("docs/embedding.md")) project.run(block);
});

test("every block of the guide for authors runs: its tool is taken, and called", () => {
  using project = makeProject();
  const blocks = readBlocks("docs/authors.md").filter(({ language }) => language !== "text");
  assert.ok(blocks.some(({ code }) => code.startsWith("// dice/index.ts")));
  for (const block of blocks) project.run(block);
});

test("every command of the guide for owners does what the guide says", () => {
  using project = makeProject({
    "dice/roll.ts": tool("dice_roll", '"Rolls."'),
    "broken/fine.ts": tool("fine", '"Fine."'),
    "broken/now.ts": tool("now", "`It is ${new Date()}.`"),
    "broken/zone.ts": `import { connect } from "node:net";\n${tool("zone", '"The zone."')}void connect;\n`,
    ...Object.fromEntries(WEATHER.map((file) => [`weather/${file}`, readPage(`examples/weather/${file}`)])),
  });
  for (const block of readBlocks("docs/owners.md")) project.run(block);
});

function tool(name: string, description: string): string {
  return `export const NAME = "${name}";\nexport const DESCRIPTION = ${description};\nexport function run() {}\n`;
}
