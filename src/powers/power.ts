import type { Json, JsonObject } from "../catalogue/json.ts";
import type { Permissions } from "./permissions.ts";

/** What a guest asks the host to do. Everything in it is a stranger's. */
export interface PowerRequest {
  readonly op: string;
  readonly args: JsonObject;
  /** Bytes that go with it, such as a file's new content. */
  readonly bytes: Buffer | null;
}

/** What the host gives back. */
export interface PowerAnswer {
  readonly value: Json;
  readonly bytes?: Buffer;
}

/** A power: everything that the host does for a guest in one field, behind one door. */
export interface Power extends AsyncDisposable {
  /** Does one operation, or throws PowerError. Any other error is ours, and reaches the guest as a failure without words. */
  perform(request: PowerRequest, use: PowerUse): Promise<PowerAnswer>;
}

/** One call's right to a power, looked up anew for every operation. */
export interface PowerUse {
  readonly capability: string;
  /** What the values that it keeps are kept under. Default: its name. */
  readonly keptAs?: string;
  /** Unguessable and one for each cell call: what is kept open for a call is kept under it. */
  readonly callId: string;
  /** Where the mounts are on this machine. */
  readonly places: Places;
  /** What is granted at this moment. */
  readonly permissions: Permissions;
  /** Aborted when the call has ended: whatever is under way stops. */
  readonly signal: AbortSignal;
  /**
   * Lists what is being done under the outcome's `effects`; says how it went when it is known. `changes` is true for what
   * cannot be done twice without harm: after it a retry is not safe.
   */
  effect(target: string, changes: boolean): EffectRecord;
}

/** Real folders, absolute: what `/workspace`, `/home`, `/capability` and `/tmp` stand for. */
export interface Places {
  readonly workspace: string;
  readonly home: string;
  readonly capability: string;
  readonly temp: string;
}

export interface EffectRecord {
  done(): void;
  refused(): void;
}

/** How an operation was refused or failed, as the guest may catch it. The message shows no path of the machine. */
export class PowerError extends Error {
  override readonly name = "PowerError";
  /** `PERMISSION_DENIED`, `POWER_LIMIT`, or a word in the manner of Node's, such as `ENOENT`. */
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

export function denied(message: string): PowerError {
  return new PowerError("PERMISSION_DENIED", message);
}

export function overLimit(message: string): PowerError {
  return new PowerError("POWER_LIMIT", message);
}
