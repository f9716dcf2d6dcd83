import { mkdtempSync, rmSync } from "node:fs";
import { createServer, type Server } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { builtPath } from "../built/built.ts";
import type { Frame } from "../bridge/frames.ts";
import { FROM_CELL, TO_CELL } from "../bridge/messages.ts";
import type { ProbeReport, ProbeTargets } from "../bridge/probe.ts";
import { WALL } from "../catalogue/texts.ts";
import { KeeperProcess } from "./keeper-process.ts";
import type { KeeperOptions } from "./spawn.ts";

/** What a probe found from the inside, and what the host saw of it from the outside. */
export interface Probed extends ProbeReport {
  /** What the host's memory watch read of it; null where it cannot be watched. */
  readonly residentBytes: number | null;
  /** Connections that arrived at the host, whatever the probe says of it. */
  readonly arrivals: number;
  /** Whether it was gone once killed. */
  readonly isKilled: boolean;
}

const PROBE_FILE = builtPath("probe.cjs");

/** Starts the probe exactly as a keeper is started, and hears what it could do. Rejects, with its last words, if it dies of it. */
export async function runProbe(options: Omit<KeeperOptions, "keeperFile">, stderrBytes: number, waitMs: number): Promise<Probed> {
  const folder = mkdtempSync(join(tmpdir(), "toolcell-probe-"));
  const socket = join(folder, "s");
  const [network, local] = [createServer(), createServer()];
  let arrivals = 0;
  for (const server of [network, local]) server.on("connection", (arrived) => ((arrivals += 1), arrived.destroy()));
  try {
    const port = await listening(network, { host: "127.0.0.1", port: 0 });
    await listening(local, { path: socket });
    const keeper = new KeeperProcess({ ...options, keeperFile: PROBE_FILE }, stderrBytes);
    const report = await answer(keeper, { hostPid: process.pid, home: folder, port, socket }, waitMs);
    const residentBytes = keeper.residentBytes();
    keeper.kill("done");
    const { signal } = await keeper.closed;
    return { ...report, residentBytes, arrivals, isKilled: signal === "SIGKILL" };
  } finally {
    network.close();
    local.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The probe's own end, in its own words: the wrapper's, where that could not be put up. */
export class ProbeError extends Error {
  override readonly name = "ProbeError";
  readonly stderr: string;

  constructor(stderr: string) {
    super(WALL.probeDied);
    this.stderr = stderr;
  }
}

function answer(keeper: KeeperProcess, targets: ProbeTargets, waitMs: number): Promise<ProbeReport> {
  return new Promise((resolve, reject) => {
    const overdue = setTimeout(() => keeper.kill("start"), waitMs);
    keeper.onFrame = ({ type, body }: Frame) => {
      if (type === FROM_CELL.READY) return keeper.send(TO_CELL.LOAD, 0, JSON.stringify(targets));
      clearTimeout(overdue);
      resolve(JSON.parse(body.toString("utf8")) as ProbeReport);
    };
    void keeper.closed.then(({ stderr }) => {
      clearTimeout(overdue);
      reject(new ProbeError(stderr));
    });
  });
}

async function listening(
  server: Server,
  at: { readonly host: string; readonly port: number } | { readonly path: string },
): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(at, resolve);
  });
  const address = server.address();
  return typeof address === "object" && address !== null ? address.port : 0;
}
