import type { Files } from "../support/capabilities.ts";
import { makeEngine, type TestEngine } from "../support/engines.ts";

const GREET = `import { ToolError } from "toolcell/tool";
export const NAME = "greet";
export const DESCRIPTION = "Greet somebody by name.\\n\\nThe second paragraph.";
export const INPUT_SCHEMA = {
  type: "object",
  properties: { name: { type: "string" }, times: { type: "integer", minimum: 1 } },
  required: ["name"],
  additionalProperties: false,
};
export function run(context, { name, times = 1 }) {
  if (name === "nobody") throw new ToolError("There is nobody to greet");
  return { text: Array(times).fill("Hello " + name).join("\\n"), payload: { name } };
}
`;

/** `greet`, which fails for "nobody", and `wait`, which never ends by itself. */
export const GREETING: Files = {
  "greeting/greet.js": GREET,
  "waiting/wait.js": `
export const NAME = "wait";
export const DESCRIPTION = "Wait.";
export async function run(context) { context.progress(0); await new Promise(() => {}); }
`,
};

/** An engine with these tools and no shipped one. */
export async function makeGreetingEngine(files: Files = GREETING): Promise<TestEngine> {
  const made = await makeEngine(files);
  for (const { name, source } of made.engine.capabilities()) if (source === "toolcell") await made.engine.disable(name);
  return made;
}
