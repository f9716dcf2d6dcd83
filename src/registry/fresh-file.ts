import { closeSync, constants, fstatSync, openSync, readFileSync, statSync } from "node:fs";

/** What one file of decisions holds. */
export interface FreshFileForm<T> {
  /** What holds where there is no such file. */
  readonly none: T;
  /** What holds where the file is damaged: nothing that it may have given. */
  readonly damaged: T;
  /** Strict: throws for any other form than ours. */
  parse(value: unknown): T;
  /** The sentence for a file that cannot be read, or is in another form. */
  toFault(reason: string): string;
}

/** Nobody decides this much. */
const LARGEST_BYTES = 4 * 1024 * 1024;

/** A file that is read anew whenever it has changed: what another process writes holds here too. */
export class FreshFile<T> {
  readonly #path: string;
  readonly #form: FreshFileForm<T>;
  #stamp = "";
  #value: T;
  #fault: string | null = null;

  constructor(path: string, form: FreshFileForm<T>) {
    this.#path = path;
    this.#form = form;
    this.#value = form.none;
  }

  /** The same object for as long as nothing has changed. */
  read(): T {
    this.#readIfChanged();
    return this.#value;
  }

  /** Why what the file says does not hold, or null. */
  fault(): string | null {
    this.#readIfChanged();
    return this.#fault;
  }

  #readIfChanged(): void {
    const stamp = stampOf(this.#path);
    if (stamp === this.#stamp) return;
    this.#stamp = stamp;
    this.#fault = null;
    this.#value = this.#form.none;
    if (stamp === ABSENT) return;
    try {
      this.#value = this.#form.parse(JSON.parse(readRegular(this.#path)));
    } catch (error) {
      this.#value = this.#form.damaged;
      this.#fault = this.#form.toFault(error instanceof Error ? error.message : "unreadable");
    }
  }
}

const ABSENT = "none";

/** A file that cannot even be looked at is one that has to be read, and that fails. */
function stampOf(path: string): string {
  try {
    const stats = statSync(path, { bigint: true, throwIfNoEntry: false });
    return stats === undefined ? ABSENT : `${stats.dev} ${stats.ino} ${stats.size} ${stats.mtimeNs} ${stats.ctimeNs} ${stats.mode}`;
  } catch (error) {
    return error instanceof Error ? error.message : "unreadable";
  }
}

/** A pipe in its place is opened without waiting for whoever would write to it. */
function readRegular(path: string): string {
  const descriptor = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    const stats = fstatSync(descriptor);
    if (!stats.isFile()) throw new Error("it is no regular file");
    if (stats.size > LARGEST_BYTES) throw new Error(`it is larger than ${LARGEST_BYTES} bytes`);
    return readFileSync(descriptor, "utf8");
  } finally {
    closeSync(descriptor);
  }
}
