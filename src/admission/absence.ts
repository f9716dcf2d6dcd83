import { statSync } from "node:fs";
import { toErrorCode } from "./faults.ts";

/** Whether what was looked for in vain is still not there. A folder was no file when it was looked for, and is none now. */
export function isStillMissing(file: string): boolean {
  try {
    return statSync(file).isDirectory();
  } catch (error) {
    return ["ENOENT", "ENOTDIR"].includes(toErrorCode(error));
  }
}
