import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { Side, Starter } from "../side.ts";
import { needBaselines } from "./install.ts";

/** A process of Deno that may do nothing, and lines of JSON over stdio. */
export const deno: Starter = { name: "Deno subprocess", start };

async function start(): Promise<Side> {
  needBaselines();
  const args = ["run", "--no-prompt", "--no-config", "--no-remote", "--quiet", join(import.meta.dirname, "deno-child.js")];
  const env = { DENO_DIR: join(import.meta.dirname, "node_modules", ".deno"), DENO_NO_UPDATE_CHECK: "1" };
  const child = spawn(findDeno(), args, { stdio: ["pipe", "pipe", "inherit"], env });
  const waiting: ((line: string) => void)[] = [];
  createInterface({ input: child.stdout, crlfDelay: Infinity }).on("line", (line) => waiting.shift()?.(line));
  const closed = once(child, "close");
  const ended = closed.then(() => Promise.reject(new Error("Deno has ended")));
  ended.catch(() => undefined);
  const echo = async (given: object): Promise<string> => {
    const line = new Promise<string>((resolve) => waiting.push(resolve));
    child.stdin.write(`${JSON.stringify(given)}\n`);
    return (JSON.parse(await Promise.race([line, ended])) as { text: string }).text;
  };
  const close = async (): Promise<void> => {
    child.kill("SIGKILL");
    await closed;
  };
  return { name: deno.name, echo, pids: () => (child.pid === undefined ? [] : [child.pid]), [Symbol.asyncDispose]: close };
}

// Its package brings one binary, for this machine; its own script would only move it.
function findDeno(): string {
  const folder = join(import.meta.dirname, "node_modules", "@deno");
  const [build] = readdirSync(folder);
  if (build === undefined) throw new Error("Deno has no binary for this machine");
  return join(folder, build, process.platform === "win32" ? "deno.exe" : "deno");
}
