import { openSync, readdirSync, readFileSync } from "node:fs";
import { devNull } from "node:os";

type Stdio = "ignore" | "pipe" | number;

const CLOSE_ON_EXEC = 0o2000000;
// More than a shell or a service manager hands down.
const LARGEST = 1023;
let covers: readonly Stdio[] | null = null;

/**
 * `stdio` with every descriptor that this process was itself started with, and that a child would get, covered up. Node
 * closes what it opens and the first few of what it inherits; a child reads on from any other, past every permission.
 */
export function withoutInherited(stdio: readonly Stdio[]): Stdio[] {
  covers ??= coverInherited();
  return [...stdio, ...covers.slice(stdio.length)];
}

// What a process inherits is settled when it starts, so one look does. Past the third, "ignore" leaves a child's as it is.
function coverInherited(): Stdio[] {
  const inherited = findInherited();
  const last = Math.max(-1, ...inherited);
  const nothing = last < 0 ? -1 : openSync(devNull, "r");
  return Array.from({ length: last + 1 }, (_, fd) => (inherited.includes(fd) ? nothing : "ignore"));
}

function findInherited(): number[] {
  if (process.platform !== "linux") return [];
  try {
    return readdirSync("/proc/self/fd")
      .map(Number)
      .filter((fd) => fd > 2 && fd <= LARGEST && isInherited(fd));
  } catch {
    return [];
  }
}

function isInherited(fd: number): boolean {
  try {
    const flags = /^flags:\s*([0-7]+)$/mu.exec(readFileSync(`/proc/self/fdinfo/${fd}`, "latin1"))?.[1];
    return flags !== undefined && (Number.parseInt(flags, 8) & CLOSE_ON_EXEC) === 0;
  } catch {
    return false;
  }
}
