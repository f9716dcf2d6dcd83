/** Why a directory is not watched, as the system's code, such as ENOSPC. */
export class WatchError extends Error {
  override readonly name = "WatchError";
  readonly code: string;

  constructor(code: string) {
    super(code);
    this.code = code;
  }
}
