import { PLUGINS } from "./texts.ts";

/** Codes of errors that the engine throws at its owner. Never in an outcome. */
export const FAULT_CODES = {
  UNKNOWN_CAPABILITY: "There is no capability of this name",
  INVALID_PERMISSION: "The grant is in no form that a permission has",
  NOT_ASKED: "The capability does not ask for what is granted",
  GRANTS_DAMAGED: "The file of grants cannot be read: nothing is granted, and nothing is written over it",
  GRANTS_BUSY: "Another process holds the file of grants",
  REQUIRED_CAPABILITY: "The capability is part of the engine and has no switch",
  SWITCHES_DAMAGED:
    "The file of switches cannot be read: only what is required is enabled, nothing is trusted, and nothing is written over it",
  SWITCHES_BUSY: "Another process holds the file of switches",
  NOT_BACKGROUND: "The tool does not say that it may run in the background",
  JOB_KEY_TAKEN: "The key belongs to a job of another tool, or of other arguments",
  UNKNOWN_JOB: "There is no job of this id, or not any more",
  JOBS_FULL: "More jobs wait, or are kept, than may",
  JOBS_DAMAGED: "The file of jobs cannot be read or written: nothing in it was touched",
  JOBS_BUSY: "Another process holds the file of jobs",
  TOOL_COLLISION: "Two packages register one tool: the engine does not start",
  SHIPPED_BROKEN: "A shipped capability is broken: the engine does not start",
} as const;

export type FaultCode = keyof typeof FAULT_CODES;

/** A decision of the owner's that cannot be carried out: a grant, a switch, a trust. */
export class GrantError extends Error {
  override readonly name = "GrantError";
  readonly code: FaultCode;

  constructor(code: FaultCode, message: string) {
    super(message);
    this.code = code;
  }
}

/** What the engine does not start with. */
export class RegistryError extends Error {
  override readonly name: string = "RegistryError";
  readonly code: FaultCode;

  constructor(code: FaultCode, message: string) {
    super(message);
    this.code = code;
  }
}

/** Two packages that register one tool, by their names; `toolcell` is the engine's own. */
export class RegistryCollisionError extends RegistryError {
  override readonly name: string = "RegistryCollisionError";
  readonly tool: string;
  readonly sources: readonly string[];

  constructor(tool: string, sources: readonly string[]) {
    super("TOOL_COLLISION", PLUGINS.collision(tool, sources));
    this.tool = tool;
    this.sources = sources;
  }
}

/** Why a tool was not written or shared. In the words of the contract that these codes come from. */
export const CREATION_CODES = {
  InvalidArguments: "The name is no name of a tool, or the code is none that the engine would take",
  FileNotFound: "The agent has no tool of this name",
  PermissionDenied: "permissions.json does not allow it",
  FileExists: "There is a tool of this name already",
} as const;

export type CreationCode = keyof typeof CREATION_CODES;

/** A tool that could not be written or shared. */
export class ToolCreationError extends Error {
  override readonly name = "ToolCreationError";
  readonly code: CreationCode;

  constructor(code: CreationCode, message: string) {
    super(message);
    this.code = code;
  }
}

/** A job that is not taken, not known, or not to be had. Its code is one of FAULT_CODES, or what its call would have ended in at once. */
export class JobError extends Error {
  override readonly name = "JobError";
  readonly code: FaultCode | "UNKNOWN_TOOL" | "INVALID_ARGUMENTS";

  constructor(code: JobError["code"], message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}
