import { ADMISSION } from "../catalogue/texts.ts";
import { FileFault, FolderRefusal } from "./faults.ts";
import type { AdmissionLimits } from "./limits.ts";
import { readSourceFile, type SourceFile, type Stamp } from "./source-file.ts";

export interface InputFile {
  readonly path: string;
  readonly file: string;
  readonly sha256: string;
}

/** Folders relative to a root, with "/" between. */
type Fence = readonly string[] | null;

/**
 * Every file of one folder that reading or bundling it has looked at. A file is read once: what was checked is what is
 * bundled, also where the folder changes meanwhile. What was looked for in vain is kept too, since a file that appears
 * there later changes what an import means.
 */
export interface Inputs {
  readonly root: string;
  /** Folders in one of which every file has to lie, or null for the whole root. */
  readonly fence: Fence;
  /** Since when files have been read. */
  readonly openedMs: number;
  /** Throws FileFault for this file, or FolderRefusal once all files together are too many or too large. */
  read(file: string): SourceFile;
  /** As `read`, for a file that our own parser will see: it has a limit of its own. */
  readForParser(file: string): SourceFile;
  /** Null where there is no such file. */
  probe(file: string): SourceFile | null;
  /** Every path that led to a file, with the file it led to: a link that is turned elsewhere is a change too. */
  list(): readonly InputFile[];
  missing(): readonly string[];
  /** The state of each of those paths as it was opened; null for one that was listed, and not there when it was opened. */
  stamps(): ReadonlyMap<string, Stamp | null>;
  /** Whether a file changed under the very read: then nothing that was read is of one moment. */
  isTorn(): boolean;
}

export function createInputs(
  root: string,
  limits: Pick<AdmissionLimits, "inputCount" | "inputBytes" | "sourceBytes">,
  fence: Fence = null,
): Inputs {
  const openedMs = Date.now();
  const answers = new Map<string, SourceFile | Error>();
  const files = new Map<string, SourceFile>();
  const paths = new Map<string, InputFile>();
  const stamps = new Map<string, Stamp | null>();
  const absent = new Set<string>();
  let isTorn = false;
  let totalBytes = 0;

  function readOnce(file: string, maxBytes: number, fault: string): SourceFile {
    const answer = answers.get(file) ?? readNow(file, maxBytes, fault);
    answers.set(file, answer);
    if (answer instanceof Error) throw answer;
    return answer;
  }

  function readNow(file: string, maxBytes: number, fault: string): SourceFile | Error {
    const left = limits.inputBytes - totalBytes;
    try {
      const source = readSourceFile(root, file, Math.min(left, maxBytes), (size) =>
        size > maxBytes ? new FileFault(fault) : new FolderRefusal(ADMISSION.inputBytes(limits.inputBytes)),
      );
      if (!isFenced(fence, source.file)) throw new FileFault(ADMISSION.fileOutside, null, false);
      paths.set(file, { path: file, file: source.file, sha256: source.sha256 });
      stamps.set(file, source.stamp);
      const known = files.get(source.file);
      if (known !== undefined) return known;
      if (files.size >= limits.inputCount) return new FolderRefusal(ADMISSION.inputCount(limits.inputCount));
      files.set(source.file, source);
      totalBytes += source.bytes.length;
      return source;
    } catch (error) {
      if (!(error instanceof FileFault || error instanceof FolderRefusal)) throw error;
      isTorn ||= error.message === ADMISSION.fileChanged;
      return error;
    }
  }

  function probe(file: string): SourceFile | null {
    // Beyond the fence nothing is there, so that nobody learns what is.
    if (absent.has(file) || !isFenced(fence, file)) return null;
    try {
      return readOnce(file, Infinity, "");
    } catch (error) {
      if (!(error instanceof FileFault) || !isAbsence(error)) throw error;
      absent.add(file);
      answers.delete(file);
      return null;
    }
  }

  /** For a file that was seen to be there a moment ago. */
  function readListed(file: string, maxBytes: number, fault: string): SourceFile {
    try {
      return readOnce(file, maxBytes, fault);
    } catch (error) {
      if (error instanceof FileFault && error.message === ADMISSION.fileMissing) stamps.set(file, null);
      throw error;
    }
  }

  return {
    root,
    fence,
    openedMs,
    read: (file) => readListed(file, Infinity, ""),
    readForParser: (file) => readListed(file, limits.sourceBytes, ADMISSION.sourceBytes(limits.sourceBytes)),
    probe,
    list: () => [...paths.values()],
    missing: () => [...absent],
    stamps: () => stamps,
    isTorn: () => isTorn,
  };
}

function isFenced(fence: Fence, file: string): boolean {
  return fence === null || fence.some((folder) => file.startsWith(`${folder}/`));
}

/** A folder where a file is looked for counts as no file: `./lib` may mean `./lib/index.ts`. */
function isAbsence(fault: FileFault): boolean {
  return fault.message === ADMISSION.fileMissing || fault.message === ADMISSION.fileNotRegular("folder");
}
