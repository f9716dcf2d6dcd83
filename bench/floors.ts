import { Floor, type FloorWay } from "../src/bench/floor.ts";
import { findAddon } from "../src/cell/addon.ts";
import type { EchoArguments, Side, Starter } from "./side.ts";

/** Two processes, two pipes, an isolate, JSON: the fastest way that we know to write it. */
export const floor: Starter = { name: "bare floor", start: () => startFloor("bare floor", "here") };

/** The same with isolated-vm's own threads between the pipe and the isolate. */
export const threadsFloor: Starter = {
  name: "bare floor through isolated-vm's threads",
  start: () => startFloor("bare floor through isolated-vm's threads", "threads"),
};

async function startFloor(name: string, way: FloorWay): Promise<Side> {
  const started = await Floor.start(findAddon().file, way);
  return {
    name,
    echo: async (args) => ((await started.call(args)) as EchoArguments).text,
    pids: () => [started.pid],
    [Symbol.asyncDispose]: () => started[Symbol.asyncDispose](),
  };
}
