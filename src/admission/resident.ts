import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";

/** A guest's sources make esbuild grow by up to a gigabyte a second: on Linux a look costs microseconds. */
const LOOK_MS = process.platform === "linux" ? 20 : 200;

/** Calls `onExceeded` once when a process holds more memory than `maxBytes`. The returned function ends the watch. */
export function watchResident(pid: number, maxBytes: number, onExceeded: () => void): () => void {
  const timer = setInterval(() => {
    readResidentBytes(pid, (bytes) => {
      if (bytes <= maxBytes) return;
      clearInterval(timer);
      onExceeded();
    });
  }, LOOK_MS);
  timer.unref();
  return () => clearInterval(timer);
}

function readResidentBytes(pid: number, use: (bytes: number) => void): void {
  if (process.platform === "linux") {
    try {
      const kilobytes = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1];
      use(Number(kilobytes ?? 0) * 1024);
    } catch {
      // The process has just ended; its exit ends the watch.
    }
  } else if (process.platform !== "win32") {
    execFile("/bin/ps", ["-o", "rss=", "-p", String(pid)], (error, stdout) => {
      if (error === null) use(Number(stdout.trim()) * 1024);
    });
  }
}
