export { promises as shim } from "./internal/fs/promises.ts";
