import assert from "node:assert/strict";
import { toolFile } from "../support/capabilities.ts";
import type { TestEngine } from "../support/engines.ts";
import { testLimit } from "./a-limit.ts";

const FAULT =
  "const told = async (run) => { try { return String(await run()); } catch (error) { return `${error.name}: ${error.message}`; } };";

const files = {
  "limit/encrypt.js": toolFile(
    "encrypt",
    `const run = async (context, { bytes }) => {
      const key = await crypto.subtle.generateKey({ name: "AES-GCM", length: 128 }, false, ["encrypt"]);
      return told(async () => (await crypto.subtle.encrypt({ name: "AES-GCM", iv: new Uint8Array(12) }, key, new Uint8Array(bytes))).byteLength);
    };`,
    { code: FAULT },
  ),
  "limit/derive.js": toolFile(
    "derive",
    `const run = async (context, { iterations, bits }) => {
      const key = await crypto.subtle.importKey("raw", new Uint8Array(8), "PBKDF2", false, ["deriveBits"]);
      return told(async () => (await crypto.subtle.deriveBits({ name: "PBKDF2", hash: "SHA-256", salt: new Uint8Array(8), iterations }, key, bits)).byteLength);
    };`,
    { code: FAULT },
  ),
  "limit/open.js": toolFile(
    "open",
    `const run = (context, { count }) => told(() => {
      for (let index = 0; index < count; index += 1) __toolcell.natives.createCodec("gzip", false);
      return count;
    });`,
    { code: FAULT },
  ),
};

const says =
  (tool: string, args: object, expected: RegExp) =>
  async ({ engine }: TestEngine): Promise<void> =>
    assert.match((await engine.call(tool, args)).text, expected);

testLimit("nativeBytes", {
  files,
  set: 1000,
  at: ["encrypts as much at once", says("encrypt", { bytes: 1000 }, /^1016$/u)],
  over: ["and no byte more", says("encrypt", { bytes: 1001 }, /OperationError: At most 1000 bytes .*\(nativeBytes\)/u)],
  raised: ["encrypts more", says("encrypt", { bytes: 100_000 }, /^100016$/u)],
});

testLimit("deriveCount", {
  files,
  set: 1000,
  at: ["takes as many rounds", says("derive", { iterations: 500, bits: 512 }, /^64$/u)],
  over: [
    "and not one more, each block of the hash counted",
    says("derive", { iterations: 501, bits: 512 }, /OperationError: .*more than 1000 rounds \(deriveCount\)/u),
  ],
  raised: ["takes more", says("derive", { iterations: 100_000, bits: 512 }, /^64$/u)],
});

testLimit("nativeStreamCount", {
  files,
  set: 3,
  at: ["keeps as many open", says("open", { count: 3 }, /^3$/u)],
  over: ["and no more", says("open", { count: 4 }, /At most 3 hashes, ciphers and compressors .*\(nativeStreamCount\)/u)],
  raised: ["keeps more open", says("open", { count: 20 }, /^20$/u)],
});
