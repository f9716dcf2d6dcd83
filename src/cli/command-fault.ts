import { GrantError, JobError, RegistryError, ToolCreationError } from "../catalogue/faults.ts";
import { CommandFailure, UsageError } from "./command-line.ts";
import { EXIT } from "./exit.ts";

export interface CommandFault {
  readonly code: string;
  readonly message: string;
  /** The message as it is printed. */
  readonly text: string;
  readonly exit: number;
}

/** What went wrong by the user's doing or their tools', or null for a fault of ours. */
export function faultOf(error: unknown): CommandFault | null {
  if (error instanceof CommandFailure) return { code: error.code, message: error.message, text: error.message, exit: EXIT.failed };
  if ([GrantError, JobError, RegistryError, ToolCreationError].some((known) => error instanceof known)) {
    const { code, message } = error as GrantError | JobError | RegistryError | ToolCreationError;
    return { code, message, text: `${message}.`, exit: code === "InvalidArguments" ? EXIT.usage : EXIT.failed };
  }
  if (error instanceof UsageError || error instanceof TypeError || error instanceof RangeError)
    return { code: "USAGE", message: error.message, text: `${error.message}.`, exit: EXIT.usage };
  return null;
}
