/** Something wrong with one file: the capability's other files are taken all the same. */
export class FileFault extends Error {
  override readonly name = "FileFault";
  readonly line: number | null;
  /** False where the reason lies outside the file's content, so that it may be gone without any content changing. */
  readonly isByContent: boolean;

  constructor(reason: string, line: number | null = null, isByContent = true) {
    super(reason);
    this.line = line;
    this.isByContent = isByContent;
  }
}

/** Something wrong with the whole folder: nothing of it is taken. */
export class FolderRefusal extends Error {
  override readonly name = "FolderRefusal";
  readonly isByContent: boolean;

  constructor(reason: string, isByContent = true) {
    super(reason);
    this.isByContent = isByContent;
  }
}

/** The stack overflows where a source is nested deeper than whoever walks it; that says something about the source. */
export function isStackOverflow(error: unknown): boolean {
  return error instanceof RangeError && error.message.includes("call stack");
}

export function toErrorCode(error: unknown): string {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  return typeof code === "string" ? code : "unknown error";
}
