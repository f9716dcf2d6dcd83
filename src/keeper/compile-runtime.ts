import { readFileSync, writeFileSync } from "node:fs";
import vm from "node:vm";
import { FROM_CELL, TO_CELL, type GuestConfig } from "../bridge/messages.ts";
import { Outbox } from "./outbox.ts";
import { packRuntime } from "./runtime-file.ts";

// A program of its own: compiles the guest's runtime, lets it start and run one call, and writes it with what V8 has compiled by
// then into the runtime's file. It runs under `--no-node-snapshot`: V8 takes a cache for isolates that began as this one did, and
// those of a keeper do not begin from Node's snapshot.

type Deliver = (type: number, call: number, body: string) => void;
type Boot = (emit: () => void, native: () => Uint8Array, outbox: SharedArrayBuffer) => Deliver;

const BUNDLE = `__toolcell_load(() => ({ tools: { warm: {
  file: "warm.js",
  load: async () => ({ run: async (context, { text }) => ({ text, summary: text, payload: { list: [text, 1, null] } }) }),
  validate: async () => ({ default: () => true }),
  explain: async () => ({ default: () => true }),
} } }));`;

const LARGE = 1 << 20;
const CONFIG: GuestConfig = {
  capability: "warm",
  memoryBytes: LARGE,
  cpuMs: LARGE,
  residentBytes: LARGE,
  wasm: true,
  paths: { workspace: "/workspace", home: "/home", capability: "/capability", temp: "/tmp" },
  host: { os: "linux", arch: "x64", cpus: 1, memoryBytes: LARGE, node: "v24", engine: "0", timeZone: "UTC", locale: "en" },
  guest: {
    resultBytes: LARGE,
    depthCount: 64,
    valueCount: LARGE,
    imageCount: 1,
    faultCount: 1,
    messageChars: 1000,
    progressCount: 1,
    progressMs: 1,
    detailChars: 10,
    logCount: 1,
    logChars: 10,
    timerCount: 1,
    powerInFlightCount: 1,
    powerBytes: LARGE,
    storageKeyBytes: 100,
    storageValueBytes: 100,
    processInputBytes: 100,
    nativeBytes: LARGE,
    nativeStreamCount: 1,
    deriveCount: 1,
  },
};

const [sourceFile = "", file = ""] = process.argv.slice(2);
const source = readFileSync(sourceFile, "utf8");
const script = new vm.Script(source, { filename: "guest.js" });
const context = vm.createContext();
const boot = script.runInContext(context) as Boot;
const outbox = new Outbox();
// Where the runtime asks for bytes here, it gets as many as it could ask for.
const deliver = boot(
  () => undefined,
  () => new Uint8Array(65_536),
  outbox.memory,
);
await runOneCall();
writeFileSync(file, packRuntime({ source, cache: script.createCachedData() }));

async function runOneCall(): Promise<void> {
  let hasRun = false;
  deliver(TO_CELL.LOAD, 0, JSON.stringify(CONFIG));
  vm.runInContext(BUNDLE, context);
  deliver(TO_CELL.PREPARE, 1, JSON.stringify({ tool: "warm" }));
  await turnsEnd();
  outbox.take(() => undefined);
  deliver(TO_CELL.CALL, 2, JSON.stringify({ tool: "warm", callId: "warm", resultLimit: null, args: { text: "warm" } }));
  await turnsEnd();
  // A cache of a start that failed would be taken all the same.
  outbox.take((type, _call, body) => {
    if (type !== FROM_CELL.RESULT) throw new Error(`The runtime does not run: ${body.toString()}`);
    hasRun = true;
  });
  if (!hasRun) throw new Error("The runtime does not run");
}

// The microtasks of both contexts are one queue.
async function turnsEnd(): Promise<void> {
  for (let turn = 0; turn < 50; turn += 1) await Promise.resolve();
}
