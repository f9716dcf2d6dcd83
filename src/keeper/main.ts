import { readFileSync } from "node:fs";
import { FROM_CELL } from "../bridge/messages.ts";
import { dropAuthority } from "./authority.ts";
import { loadAddon } from "./isolate.ts";
import { Keeper, type KeeperSetup } from "./keeper.ts";
import { readFrames, writeFrame } from "./pipes.ts";

const [addonFile, runtimeFile, setupText] = process.argv.slice(2);
if (addonFile === undefined || runtimeFile === undefined || setupText === undefined) throw new Error("The keeper is started by the engine");

const setup = JSON.parse(setupText) as Omit<KeeperSetup, "runtime"> & { readonly frameBytes: number };
const keeper = await Keeper.create(loadAddon(addonFile), { ...setup, runtime: readFileSync(runtimeFile, "utf8") });
dropAuthority();
readFrames(setup.frameBytes, (frame) => keeper.receive(frame));
writeFrame(FROM_CELL.READY, 0, JSON.stringify({ node: process.version }));
