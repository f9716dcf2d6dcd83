import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import type { Files } from "../support/capabilities.ts";

const EXAMPLES = new URL("../../examples", import.meta.url).pathname;

/** An example's files, which ask the service where it listens in this test and not where it does on its own. */
export function filesOf(example: string, service: Server | null = null, ownPort = 0): Record<string, string> {
  const folder = path.join(EXAMPLES, example);
  const placed = (text: string): string =>
    service === null ? text : text.replaceAll(`127.0.0.1:${ownPort}`, `127.0.0.1:${portOf(service)}`);
  return Object.fromEntries(
    readdirSync(folder).map((file) => [file, placed(readFileSync(path.join(folder, file), "utf8"))]),
  ) satisfies Files;
}

export function portOf(service: Server): number {
  return (service.address() as AddressInfo).port;
}
