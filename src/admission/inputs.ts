import { ADMISSION } from "../catalogue/texts.ts";
import { FileFault, FolderRefusal } from "./faults.ts";
import type { AdmissionLimits } from "./limits.ts";
import { readSourceFile, type SourceFile } from "./source-file.ts";

export interface InputFile {
  readonly path: string;
  readonly file: string;
  readonly sha256: string;
}

/**
 * Every file of one folder that reading or bundling it has looked at. A file is read once: what was checked is what is
 * bundled, also where the folder changes meanwhile. What was looked for in vain is kept too, since a file that appears
 * there later changes what an import means.
 */
export interface Inputs {
  readonly root: string;
  /** Throws FileFault for this file, or FolderRefusal once all files together are too many or too large. */
  read(file: string): SourceFile;
  /** As `read`, for a file that our own parser will see: it has a limit of its own. */
  readForParser(file: string): SourceFile;
  /** Null where there is no such file. */
  probe(file: string): SourceFile | null;
  /** Every path that led to a file, with the file it led to: a link that is turned elsewhere is a change too. */
  list(): readonly InputFile[];
  missing(): readonly string[];
}

export function createInputs(root: string, limits: Pick<AdmissionLimits, "inputCount" | "inputBytes" | "sourceBytes">): Inputs {
  const answers = new Map<string, SourceFile | Error>();
  const files = new Map<string, SourceFile>();
  const paths = new Map<string, InputFile>();
  const absent = new Set<string>();
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
      paths.set(file, { path: file, file: source.file, sha256: source.sha256 });
      const known = files.get(source.file);
      if (known !== undefined) return known;
      if (files.size >= limits.inputCount) return new FolderRefusal(ADMISSION.inputCount(limits.inputCount));
      files.set(source.file, source);
      totalBytes += source.bytes.length;
      return source;
    } catch (error) {
      if (error instanceof FileFault || error instanceof FolderRefusal) return error;
      throw error;
    }
  }

  function probe(file: string): SourceFile | null {
    if (absent.has(file)) return null;
    try {
      return readOnce(file, Infinity, "");
    } catch (error) {
      if (!(error instanceof FileFault) || !isAbsence(error)) throw error;
      absent.add(file);
      answers.delete(file);
      return null;
    }
  }

  return {
    root,
    read: (file) => readOnce(file, Infinity, ""),
    readForParser: (file) => readOnce(file, limits.sourceBytes, ADMISSION.sourceBytes(limits.sourceBytes)),
    probe,
    list: () => [...paths.values()],
    missing: () => [...absent],
  };
}

/** A folder where a file is looked for counts as no file: `./lib` may mean `./lib/index.ts`. */
function isAbsence(fault: FileFault): boolean {
  return fault.message === ADMISSION.fileMissing || fault.message === ADMISSION.fileNotRegular("folder");
}
