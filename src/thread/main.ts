import type { ThreadJob } from "../bridge/thread.ts";
import { startThread } from "./thread.ts";

/** The entry of a cell's thread: it is ready when this returns, and lives until it is ended from outside. */
export function runCell(job: ThreadJob): void {
  startThread(job);
}
