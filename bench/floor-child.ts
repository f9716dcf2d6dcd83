import { writeSync } from "node:fs";
import { createRequire } from "node:module";
import { Socket } from "node:net";
import type ivm from "isolated-vm";

// The least that two processes, two pipes and an isolate can do: a text in, JSON read and written in the isolate, a text out.
const [addonFile = ""] = process.argv.slice(2);
const { ivm: addon } = createRequire(import.meta.url)(addonFile) as { ivm: typeof ivm };
const isolate = new addon.Isolate({ memoryLimit: 128 });
const context = await isolate.createContext();
const ECHO = "return (body) => JSON.stringify(JSON.parse(body))";
const echo: ivm.Reference<(body: string) => string> = await context.evalClosure<{ result: { reference: true } }>(ECHO, [], {
  result: { reference: true },
});

const pipe = new Socket({ fd: 3, readable: true, writable: false });
let pending: Buffer = Buffer.alloc(0);
pipe.on("close", () => process.exit());
pipe.on("data", (chunk: Buffer) => {
  pending = pending.length === 0 ? chunk : Buffer.concat([pending, chunk]);
  void answer();
});
write("");

async function answer(): Promise<void> {
  while (pending.length >= 4 && pending.length >= 4 + pending.readUInt32LE(0)) {
    const end = 4 + pending.readUInt32LE(0);
    const body = pending.toString("utf8", 4, end);
    pending = pending.subarray(end);
    // The addon's own `apply`, not the language's.
    // oxlint-disable-next-line no-useless-call
    write(await echo.apply(undefined, [body]));
  }
}

function write(text: string): void {
  const frame = Buffer.allocUnsafe(4 + Buffer.byteLength(text));
  frame.writeUInt32LE(frame.length - 4, 0);
  frame.write(text, 4);
  for (let written = 0; written < frame.length;) written += writeSync(4, frame, written);
}
