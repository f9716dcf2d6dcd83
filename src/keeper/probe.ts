import { spawnSync } from "node:child_process";
import { fstatSync, readdirSync, readFileSync, writeFileSync, writeSync, type Stats } from "node:fs";
import inspector from "node:inspector";
import { connect } from "node:net";
import { Worker } from "node:worker_threads";
import type { Frame } from "../bridge/frames.ts";
import { FROM_CELL } from "../bridge/messages.ts";
import type { Attempt, ProbeReport, ProbeTargets } from "../bridge/probe.ts";
import { dropAuthority } from "./authority.ts";
import { loadAddon } from "./isolate.ts";
import { MARK, Pipes } from "./pipes.ts";

// Stands where a keeper stands, holds no isolate, and tries what a keeper must not be able to do. Each try that goes through
// does nothing to anyone: it reads, or writes a file that a wall should have refused.

const [addonFile = "", runtimeFile = ""] = process.argv.slice(2);
const MAX_BYTES = 64 * 1024;
const CONNECT_MS = 1000;
// As a shell counts them, of one kind or another.
const BLOCK_BYTES = 1024;
// Descriptors up to here are looked at; a keeper's own end far below.
const DESCRIPTORS = 1024;
const OWN_VARIABLES = new Set(["TZ", "LANG", "SystemRoot"]);

// Before a socket is made: with the first, libuv opens a file of its own.
const hasForeign = findForeign();
loadAddon(addonFile);
readFileSync(runtimeFile);
dropAuthority();
const pipes = new Pipes();
pipes.readFrames(
  MAX_BYTES,
  (frame) => void report(frame),
  () => undefined,
);
pipes.writeFrame(FROM_CELL.READY, 0, JSON.stringify({ node: process.version }));

async function report({ body }: Frame): Promise<void> {
  const targets = JSON.parse(body.toString("utf8")) as ProbeTargets;
  const attempts: ProbeReport["attempts"][number][] = [];
  for (const [attempt, act] of attemptsOn(targets)) attempts.push({ attempt, ...(await tried(act)) });
  const limits = resourceLimits();
  pipes.writeFrame(FROM_CELL.RESULT, 0, JSON.stringify({ attempts, ...limits, hasWebAssembly: "WebAssembly" in globalThis }));
}

function attemptsOn({ hostPid, home, port, socket }: ProbeTargets): readonly (readonly [Attempt, () => unknown])[] {
  return [
    ["read a system file", () => readFileSync("/etc/passwd")],
    ["read the engine's home", () => readdirSync(home)],
    ["list the root folder", () => readdirSync("/")],
    ["write to the temporary folder", () => writeFileSync(`/tmp/toolcell-probe-${hostPid}`, "")],
    ["write to its own folder", () => writeFileSync(`${runtimeFile}.probe`, "")],
    ["read its own code again", () => readFileSync(runtimeFile)],
    ["start a process", () => started(spawnSync(process.execPath, ["--version"]).error)],
    ["become another program", () => becomes(process.execPath)],
    ["start a worker thread", () => new Worker("", { eval: true })],
    ["open an inspector", () => inspector.open(0, "127.0.0.1")],
    ["load an addon", () => process.dlopen({ exports: {} }, addonFile)],
    ["take a permission back", () => takesBack()],
    ["read the host's environment", () => readFileSync(`/proc/${hostPid}/environ`)],
    ["read the host's memory", () => readFileSync(`/proc/${hostPid}/maps`)],
    ["see an environment variable of the host", () => foreignVariables()],
    ["use a descriptor of the host", () => foreignDescriptors()],
    ["leave data in the mark", () => growsMark()],
    ["connect to the host's network", () => connects({ host: "127.0.0.1", port })],
    ["connect to a Unix socket", () => connects({ path: socket })],
    ["send the host a signal", () => process.kill(hostPid, 0)],
  ];
}

async function tried(act: () => unknown): Promise<{ readonly isRefused: boolean; readonly detail: string }> {
  try {
    await act();
    return { isRefused: false, detail: "it went through" };
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    return { isRefused: true, detail: code ?? String(message) };
  }
}

function started(error: Error | undefined): void {
  if (error !== undefined) throw error;
}

// Where it is allowed this process is gone, and a probe without an answer is a wall without proof.
function becomes(program: string): void {
  const node = process as unknown as { execve?(file: string, args: readonly string[], env: object): never };
  if (node.execve === undefined) throw new Error("this Node cannot");
  node.execve(program, [program, "--version"], {});
}

function takesBack(): void {
  Object.assign((process as { permission?: object }).permission ?? {}, { has: () => true });
  process.env["NODE_OPTIONS"] = "--allow-fs-read=*";
  delete process.env["NODE_OPTIONS"];
  readFileSync("/etc/passwd");
}

// A shell that stays out of sight may leave its own folder behind, which is none of the host's: the root.
function foreignVariables(): void {
  const names = Object.keys(process.env).filter((name) => !OWN_VARIABLES.has(name) && !(name === "PWD" && process.env[name] === "/"));
  if (names.length === 0) throw new Error("none is there");
}

function foreignDescriptors(): void {
  if (!hasForeign) throw new Error("none is open");
}

// Node's own descriptors past the keeper's are pipes and things without a name in any file system.
function findForeign(): boolean {
  for (let fd = 5; fd < DESCRIPTORS; fd += 1) if (isForeign(fd)) return true;
  return false;
}

// A mark holds a number: the system lets this process write no file larger than a block.
function growsMark(): void {
  const written = writeSync(MARK, Buffer.alloc(MAX_BYTES), 0, MAX_BYTES, 0);
  if (written <= BLOCK_BYTES) throw new Error("it holds no more than a block");
}

function isMark(fd: number, { nlink, size }: Stats): boolean {
  return fd === MARK && nlink === 0 && size <= BLOCK_BYTES;
}

function isForeign(fd: number): boolean {
  try {
    const stat = fstatSync(fd);
    if (stat.isFile() && isMark(fd, stat)) return false;
    const isNull = stat.isCharacterDevice() && stat.rdev === fstatSync(0).rdev;
    return stat.isFile() || stat.isDirectory() || stat.isSocket() || (stat.isCharacterDevice() && !isNull);
  } catch {
    return false;
  }
}

function connects(target: { readonly host: string; readonly port: number } | { readonly path: string }): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect(target);
    const end = (act: () => void): void => {
      socket.destroy();
      act();
    };
    socket.setTimeout(CONNECT_MS, () => end(() => reject(new Error("no answer"))));
    socket.once("connect", () => end(resolve));
    socket.once("error", (error) => end(() => reject(error)));
  });
}

function resourceLimits(): Pick<ProbeReport, "coreLimit" | "dataLimit"> {
  interface Limit {
    readonly soft: number | "unlimited";
  }
  // Without it a report looks up names.
  Object.assign(process.report, { excludeNetwork: true });
  const { userLimits } = process.report.getReport() as { readonly userLimits?: Readonly<Record<string, Limit>> };
  return {
    coreLimit: userLimits?.["core_file_size_blocks"]?.soft ?? "unlimited",
    dataLimit: userLimits?.["data_seg_size_bytes"]?.soft ?? userLimits?.["data_seg_size_kbytes"]?.soft ?? "unlimited",
  };
}
