import { closeSync, constants, openSync, readSync, unlinkSync } from "node:fs";
import { randomUUID } from "node:crypto";
import { tmpdir } from "node:os";
import { join } from "node:path";

const NUMBER_BYTES = 4;
// Memory, where a system has it as a folder.
const FOLDERS = ["/dev/shm", tmpdir()];

/**
 * A file without a name in which a keeper leaves the number of the last call that it began: the host looks there when a cell
 * has died, and is not woken for every call that begins behind another.
 */
export class BegunMark {
  readonly fd: number;
  #last = -1;
  #isOpen = true;

  /** Null where no such file can be made. */
  static open(): BegunMark | null {
    for (const folder of FOLDERS) {
      try {
        return new BegunMark(join(folder, `toolcell-${randomUUID()}`));
      } catch {
        // The next folder may do.
      }
    }
    return null;
  }

  private constructor(path: string) {
    this.fd = openSync(path, constants.O_RDWR | constants.O_CREAT | constants.O_EXCL, 0o600);
    unlinkSync(path);
  }

  /** The number that stands there, -1 while there is none. It is the keeper's word. */
  last(): number {
    if (!this.#isOpen) return this.#last;
    const bytes = Buffer.alloc(NUMBER_BYTES);
    try {
      if (readSync(this.fd, bytes, 0, NUMBER_BYTES, 0) === NUMBER_BYTES) this.#last = bytes.readUInt32LE(0);
    } catch {
      // What was read before still holds.
    }
    return this.#last;
  }

  close(): void {
    if (!this.#isOpen) return;
    this.last();
    this.#isOpen = false;
    closeSync(this.fd);
  }
}
