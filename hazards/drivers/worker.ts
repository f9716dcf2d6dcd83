import { Worker } from "node:worker_threads";
import { MEMORY_BYTES, toText, withinDeadline, type Driver } from "../driver.ts";

const PROLOGUE = `
const { parentPort } = require("node:worker_threads");
const context = { progress: (fraction, detail) => parentPort.postMessage({ progress: [fraction, detail] }) };
const console = { log: (...args) => parentPort.postMessage({ log: args.map(String) }) };
`;

/** A worker thread a call, with an empty environment, resource limits and `terminate()`. */
export function createWorkerDriver(): Driver {
  const workers = new Set<Worker>();
  const run = async (body: string): Promise<string> => {
    const source = `${PROLOGUE}(async () => { ${body} })().then((result) => parentPort.postMessage({ result }), (error) => parentPort.postMessage({ error: String(error?.message) }));`;
    const resourceLimits = { maxOldGenerationSizeMb: MEMORY_BYTES / 2 ** 20, maxYoungGenerationSizeMb: 16 };
    const worker = new Worker(source, { eval: true, env: {}, resourceLimits, stdout: true, stderr: true });
    workers.add(worker);
    const ended = new Promise<string>((resolve, reject) => {
      worker.on("message", (message: { readonly result?: unknown; readonly error?: string }) => {
        if ("result" in message) resolve(toText(message.result));
        else if (message.error !== undefined) reject(new Error(message.error));
      });
      worker.once("error", reject);
      worker.once("exit", (code) => reject(new Error(`exit ${code}`)));
    });
    return await withinDeadline(ended, () => void worker.terminate());
  };
  const close = async (): Promise<void> => {
    await Promise.all([...workers].map((worker) => worker.terminate()));
  };
  return { run, close };
}
