import { readFileSync } from "node:fs";
import { FROM_CELL } from "../bridge/messages.ts";
import { dropAuthority } from "./authority.ts";
import { createAddon, loadAddon } from "./isolate.ts";
import { Keeper } from "./keeper.ts";
import { Pipes } from "./pipes.ts";
import { unpackRuntime } from "./runtime-file.ts";
import { readPlaces } from "./places.ts";
import type { KeeperSetup } from "./setup.ts";

const [addonFile, runtimeFile, setupText] = process.argv.slice(2);
if (addonFile === undefined || runtimeFile === undefined || setupText === undefined) throw new Error("The keeper is started by the engine");

const setup = JSON.parse(setupText) as KeeperSetup & { readonly frameBytes: number };
// Of several cells none may hold the thread that carries the others' messages.
const placing = setup.isLeashed && setup.placeCount === 0 ? "here" : "beside";
const pipes = new Pipes();
const keeper = begin(addonFile, runtimeFile);
dropAuthority();
// Where there are places nothing comes here but the end of the host.
pipes.readFrames(
  setup.frameBytes,
  (frame) => keeper?.receive(frame),
  () => keeper?.pause(),
);
pipes.writeFrame(FROM_CELL.READY, 0, JSON.stringify({ node: process.version }));

// What guests are made of is held here no longer than by whoever makes them.
function begin(addonPath: string, runtimePath: string): Keeper | null {
  const addon = createAddon(loadAddon(addonPath), unpackRuntime(readFileSync(runtimePath)), placing);
  if (setup.placeCount === 0) return new Keeper(addon, setup, pipes);
  readPlaces(addon, setup);
  return null;
}
