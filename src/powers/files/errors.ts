import { FILES } from "../../catalogue/texts.ts";
import { denied, PowerError } from "../power.ts";

/** The one answer for everything that is not within a mount: it does not tell what is there. */
export function outside(): PowerError {
  return denied(FILES.outside);
}

/** An error in the words of the file system. */
export function failure(code: keyof typeof FILES.byCode, shown: string): PowerError {
  return new PowerError(code, FILES.byCode[code](shown));
}

/** What a system call threw, without the path that it names. */
export function toFailure(error: unknown, shown: string): PowerError {
  if (error instanceof PowerError) return error;
  const code = codeOf(error);
  return failure(isKnown(code) ? code : "EIO", shown);
}

export function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : "";
}

export function assertGoingOn(signal: AbortSignal): void {
  if (signal.aborted) throw new PowerError("ABORT_ERR", FILES.callEnded);
}

function isKnown(code: string): code is keyof typeof FILES.byCode {
  return Object.hasOwn(FILES.byCode, code);
}
