import { dlopen, errno, priority, signals, UV_UDP_REUSEADDR } from "unenv/node/internal/os/constants";
import { toolcell } from "./internal/toolcell.ts";

const { host } = toolcell();
const platform = host.os === "win32" ? "linux" : host.os;
const NAMES: ReadonlyMap<string, string> = new Map([
  ["linux", "Linux"],
  ["darwin", "Darwin"],
  ["freebsd", "FreeBSD"],
]);
const cpu = { model: "", speed: 0, times: { user: 0, nice: 0, sys: 0, idle: 0, irq: 0 } };

/** The machine as far as a guest may know it: the same rounded figures as `context.host`. */
export const shim = {
  EOL: "\n",
  devNull: "/dev/null",
  constants: { UV_UDP_REUSEADDR, dlopen, errno, signals, priority },
  arch: () => host.arch,
  machine: () => (host.arch === "x64" ? "x86_64" : host.arch),
  platform: () => platform,
  type: () => NAMES.get(platform) ?? platform,
  release: () => "",
  version: () => "",
  endianness: () => "LE",
  availableParallelism: () => host.cpus,
  cpus: () => Array.from({ length: host.cpus }, () => structuredCopy(cpu)),
  totalmem: () => host.memoryBytes,
  freemem: () => host.memoryBytes,
  loadavg: () => [0, 0, 0],
  uptime: () => 0,
  hostname: () => "localhost",
  homedir: () => "/home",
  tmpdir: () => "/tmp",
  userInfo: () => ({ uid: -1, gid: -1, username: "toolcell", homedir: "/home", shell: null }),
  networkInterfaces: () => ({}),
  getPriority: () => 0,
};

function structuredCopy<T>(value: T): T {
  return JSON.parse(JSON.stringify(value)) as T;
}
