import { toolFile } from "../support/capabilities.ts";
import { makeEngine, type TestEngine } from "../support/engines.ts";
import type { EngineOptions } from "toolcell";

/** An engine with one tool that runs the code it is given inside the guest, for tests of what a guest finds there. */
export interface Scripts extends AsyncDisposable {
  /** The value that the code returns, through JSON. Throws where the call fails. */
  run(code: string, given?: object): Promise<unknown>;
  readonly made: TestEngine;
}

const RUN = `const run = async (context, { code, given }) => {
  const AsyncFunction = (async () => {}).constructor;
  return JSON.stringify((await new AsyncFunction("given", "hex", "bytes", "natives", code)(given, hex, bytes, natives)) ?? null);
};`;
const CODE = `
const natives = __toolcell.natives;
const hex = (data) => [...new Uint8Array(data.buffer ?? data)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
const bytes = (text) => new Uint8Array((text.match(/../g) ?? []).map((pair) => parseInt(pair, 16)));
`;

export async function makeScripts(options: EngineOptions = {}): Promise<Scripts> {
  const made = await makeEngine({ "guest/script.js": toolFile("script", RUN, { code: CODE }) }, options);
  return {
    made,
    async run(code, given = {}) {
      const { ok, text } = await made.engine.call("script", { code, given });
      if (!ok) throw new Error(text);
      return JSON.parse(text);
    },
    [Symbol.asyncDispose]: () => made[Symbol.asyncDispose](),
  };
}
