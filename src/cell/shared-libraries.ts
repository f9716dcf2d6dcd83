import { execFile } from "node:child_process";
import { promisify } from "node:util";

const run = promisify(execFile);
const known = new Map<string, Promise<readonly string[]>>();

/**
 * The shared libraries that Node and the addon are loaded with, the loader itself among them, as the loader tells it.
 * Nothing where the loader does not tell. Asked once a process.
 */
export function sharedLibraries(node: string, addonFile: string): Promise<readonly string[]> {
  const key = `${node}\0${addonFile}`;
  let libraries = known.get(key);
  if (libraries === undefined) known.set(key, (libraries = list(node, addonFile)));
  return libraries;
}

async function list(node: string, addonFile: string): Promise<readonly string[]> {
  try {
    // Traced, a program prints what it would be loaded with and ends before it begins.
    const ofNode = pathsIn((await run(node, ["--version"], { env: { LD_TRACE_LOADED_OBJECTS: "1" } })).stdout);
    const loader = ofNode.find((path) => /\/ld-[^/]*\.so/u.test(path));
    if (loader === undefined) return [];
    const ofAddon = pathsIn((await run(loader, ["--list", addonFile], { env: {} })).stdout);
    return [...new Set([...ofNode, ...ofAddon])];
  } catch {
    return [];
  }
}

// "libc.so.6 => /lib/x86_64-linux-gnu/libc.so.6 (0x…)", and the loader's own line without an arrow.
function pathsIn(trace: string): string[] {
  return trace.split("\n").flatMap((line) => /(?:=> |^\s*)(\/.+) \(0x[0-9a-f]+\)$/u.exec(line)?.[1] ?? []);
}
