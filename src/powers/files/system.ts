import fs from "node:fs";
import { promisify } from "node:util";

/** The system calls that the power makes, on descriptors that it closes itself. Names in, descriptors out: no FileHandle to forget. */
const open = promisify(fs.open);
const close = promisify(fs.close);
export const readlink: (path: string) => Promise<string> = promisify(fs.readlink);
export const mkdir: (path: string, mode?: number) => Promise<void> = promisify(fs.mkdir);
export const rename = promisify(fs.rename);
export const unlink = promisify(fs.unlink);
export const rmdir: (path: string) => Promise<void> = promisify(fs.rmdir);
export const opendir: (path: string) => Promise<fs.Dir> = promisify(fs.opendir);
// The native one also gives a name as the disk has it, where a file system takes more than one.
export const realpath: (path: string) => Promise<string> = promisify(fs.realpath.native);
export const fchmod = promisify(fs.fchmod);

const fstatPlain = promisify(fs.fstat);
const lstatPlain = promisify(fs.lstat);
const statPlain = promisify(fs.stat);
const readPlain = promisify(fs.read);
const writePlain = promisify(fs.write);

export type Stats = fs.BigIntStats;

// Big: an inode's number may not fit a double, and two that differ must not look alike.
export const fstat = (fd: number): Promise<Stats> => fstatPlain(fd, { bigint: true });
export const lstat = (path: string): Promise<Stats> => lstatPlain(path, { bigint: true });
export const stat = (path: string): Promise<Stats> => statPlain(path, { bigint: true });

/** Reads into `buffer` from `offset` on; from where the descriptor stands if `position` is null. */
export async function read(fd: number, buffer: Buffer, offset: number, position: number | null): Promise<number> {
  const { bytesRead } = await readPlain(fd, buffer, offset, buffer.length - offset, position);
  return bytesRead;
}

export async function writeAll(fd: number, bytes: Buffer): Promise<void> {
  for (let at = 0; at < bytes.length;) at += (await writePlain(fd, bytes, at, bytes.length - at, null)).bytesWritten;
}

/** Which file it is, whatever it is called: two that are alive at once never share it. */
export function identityOf({ dev, ino }: Stats): string {
  return `${dev}:${ino}`;
}

/** A descriptor that is closed with the scope that holds it. */
export class Descriptor implements AsyncDisposable {
  readonly fd: number;
  #isOpen = true;

  constructor(fd: number) {
    this.fd = fd;
  }

  static async open(path: string, flags: number, mode?: number): Promise<Descriptor> {
    return new Descriptor(await open(path, flags, mode));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    await close(this.fd);
  }
}
