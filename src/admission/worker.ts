// The entry of a thread in the pool: it reads and bundles one folder at a time.
export { runJob } from "./job.ts";
