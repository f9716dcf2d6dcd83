import { readFileSync } from "node:fs";
import { FROM_CELL } from "../bridge/messages.ts";
import { dropAuthority } from "./authority.ts";
import { createAddon, loadAddon } from "./isolate.ts";
import { Keeper, type KeeperSetup } from "./keeper.ts";
import { readFrames, writeFrame } from "./pipes.ts";
import { unpackRuntime } from "./runtime-file.ts";

const [addonFile, runtimeFile, setupText] = process.argv.slice(2);
if (addonFile === undefined || runtimeFile === undefined || setupText === undefined) throw new Error("The keeper is started by the engine");

const setup = JSON.parse(setupText) as KeeperSetup & { readonly frameBytes: number };
const addon = createAddon(loadAddon(addonFile), unpackRuntime(readFileSync(runtimeFile, "utf8")));
const keeper = new Keeper(addon, setup);
dropAuthority();
readFrames(setup.frameBytes, (frame) => keeper.receive(frame));
writeFrame(FROM_CELL.READY, 0, JSON.stringify({ node: process.version }));
