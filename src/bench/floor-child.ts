import { writeSync } from "node:fs";
import { createRequire } from "node:module";
import { Socket } from "node:net";
import type ivm from "isolated-vm";
import { createReader, toFrame } from "./floor-frames.ts";

// A program of its own: the least that two processes, two pipes and an isolate can do. A text comes in, the isolate reads it as
// JSON and writes it again, the text goes out. `here` stays on this thread, which is the fastest that there is; `threads` goes
// through isolated-vm's own; `fresh` makes an isolate for each text; `load` has the addon and does nothing.
type Echo = ivm.Reference<(body: string) => string>;

const ECHO = "return (body) => JSON.stringify(JSON.parse(body))";
const REFERENCE = { result: { reference: true } } as const;
const CHUNK_BYTES = 64 * 1024;
const MEMORY_MIB = 128;

const [addonFile = "", way = "here"] = process.argv.slice(2);
const { ivm: addon } = createRequire(addonFile)(addonFile) as { ivm: typeof ivm };
const out = Buffer.allocUnsafeSlow(CHUNK_BYTES);
const read = createReader(start(way));
const callback = (size: number, buffer: Uint8Array): boolean => {
  read(Buffer.from(buffer.buffer, buffer.byteOffset, size));
  return true;
};
const pipe = new Socket({ fd: 3, readable: true, writable: false, onread: { buffer: Buffer.allocUnsafeSlow(CHUNK_BYTES), callback } });
pipe.on("close", () => process.exit());
pipe.resume();
write("");

function start(asked: string): (body: string) => void {
  if (asked === "load") return () => undefined;
  if (asked === "fresh") return answerFresh;
  const { echo } = makeEcho();
  // The addon's own `apply`, not the language's.
  // oxlint-disable-next-line no-useless-call
  if (asked === "threads") return (body) => void echo.apply(undefined, [body]).then(write);
  return (body) => write(echo.applySync(undefined, [body]));
}

function answerFresh(body: string): void {
  const { isolate, echo } = makeEcho();
  write(echo.applySync(undefined, [body]));
  isolate.dispose();
}

function makeEcho(): { readonly isolate: ivm.Isolate; readonly echo: Echo } {
  const isolate = new addon.Isolate({ memoryLimit: MEMORY_MIB });
  return { isolate, echo: isolate.createContextSync().evalClosureSync(ECHO, [], REFERENCE) as Echo };
}

function write(text: string): void {
  const frame = toFrame(text, out);
  for (let written = 0; written < frame.length;) written += writeSync(4, frame, written);
}
