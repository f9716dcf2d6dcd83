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
