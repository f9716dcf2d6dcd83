// The entry of a thread in the pool: it reads and bundles folders, and keeps their cache within its limits.
export { runBatch, runPrune } from "./job.ts";
