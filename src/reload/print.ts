import { opendir, stat } from "node:fs/promises";
import { join } from "node:path";

/** Takes what tells one state of a directory from another, as far as the entries go that matter. */
export type TakePrint = () => Promise<string>;

/** For a directory that cannot be watched. A change of any of the entries changes its print; it never rejects. */
export function createPrint(path: string, isRelevant: (name: string) => boolean): TakePrint {
  let names: readonly string[] = [];
  let listedStamp = "";
  let isListed = false;

  async function list(): Promise<readonly string[]> {
    const stamp = await toStamp(path);
    // A second look that finds the same time of change came long enough after it to have missed nothing.
    if (stamp === listedStamp && isListed) return names;
    isListed = stamp === listedStamp;
    listedStamp = stamp;
    const found: string[] = [];
    for await (const { name } of await opendir(path, { bufferSize: 1024 })) {
      if (isRelevant(name)) found.push(name);
    }
    names = found.sort();
    return names;
  }

  return async () => {
    try {
      const lines: string[] = [];
      for (const name of await list()) lines.push(`${name} ${await toStamp(join(path, name))}`);
      return lines.join("\n");
    } catch (error) {
      listedStamp = "";
      return toCode(error);
    }
  };
}

// The time of change cannot be set by a program, where that of writing can.
async function toStamp(path: string): Promise<string> {
  try {
    const { dev, ino, size, mtimeNs, ctimeNs } = await stat(path, { bigint: true });
    return `${dev} ${ino} ${size} ${mtimeNs} ${ctimeNs}`;
  } catch (error) {
    return toCode(error);
  }
}

function toCode(error: unknown): string {
  return (error as NodeJS.ErrnoException).code ?? "UNKNOWN";
}
