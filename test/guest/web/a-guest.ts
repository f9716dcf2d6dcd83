import assert from "node:assert/strict";
import type { EngineOptions } from "toolcell";
import { toolFile, type Files } from "../../support/capabilities.ts";
import { makeEngine } from "../../support/engines.ts";

/** Runs the body of an async function in a cell of its own and gives what it returns. `code` stands beside it, `files` in its folder. */
export async function inGuest(body: string, { code = "", files = {}, options = {} }: GuestSetup = {}): Promise<unknown> {
  const { error, payload, text } = await outcomeOf(body, { code, files, options });
  assert.equal(error, null, text);
  return (payload as { value?: unknown } | null)?.value;
}

export interface GuestSetup {
  readonly code?: string;
  readonly files?: Files;
  readonly options?: EngineOptions;
}

export async function outcomeOf(body: string, { code = "", files = {}, options = {} }: GuestSetup = {}) {
  const run = `async function run(context) { const value = await (async () => { ${body} })(); return { text: "", payload: { value } }; }`;
  const folder = Object.fromEntries(Object.entries(files).map(([file, content]) => [`web/${file}`, content]));
  await using made = await makeEngine({ ...folder, "web/go.js": toolFile("go", run, { code }) }, options);
  const listed = made.engine.capabilities().find(({ name }) => name === "web");
  assert.deepEqual([listed?.refused, listed?.broken], [null, []]);
  const outcome = await made.engine.call("go", {});
  return { ...outcome, log: made.log.map((entry) => ({ ...entry })) };
}
