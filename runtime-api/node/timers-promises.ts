export { promises as shim } from "./internal/timers-promises.ts";
