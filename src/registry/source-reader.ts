import { hash } from "node:crypto";
import type { Admission } from "../admission/admission.ts";
import type { AdaptedSource, EntryListing } from "../admission/adapted.ts";
import type { CapabilityRecord } from "../admission/record.ts";
import { toRefusedRecord } from "../admission/refused-record.ts";
import { ADAPTED, ADMISSION } from "../catalogue/texts.ts";
import { nameOf, type FoundFolder } from "./found.ts";
import type { Lister } from "./lister.ts";

export interface SourceReaderParts {
  readonly admission: Admission;
  readonly lister: Lister;
  /** Why a source is not even to be run, or null. */
  whyNot(found: FoundFolder): string | null;
  /** What could not be waited for is listed by now: it is worth another reading. */
  onListed(path: string): void;
}

/** A source that changes while it is listed is read so many times. */
const TRIES = 4;

/** Makes one record of whatever was found: of a folder by reading it, of anything else by listing its tools, sealed, as well. */
export class SourceReader {
  readonly #parts: SourceReaderParts;

  constructor(parts: SourceReaderParts) {
    this.#parts = parts;
  }

  /** Whatever is wrong with it is in the record. */
  async read(found: FoundFolder): Promise<CapabilityRecord> {
    const { path, isShipped, adapted } = found;
    const refused = found.refused ?? this.#parts.whyNot(found);
    if (refused !== null) return toRefusedRecord(nameOf(found), refused);
    if (adapted === null) return await this.#parts.admission.admit(path, { shipped: isShipped });
    for (let attempt = 0; attempt < TRIES; attempt += 1) {
      const record = await this.#readAdapted(found, adapted);
      if (record !== null) return record;
    }
    return toRefusedRecord(adapted.name, ADMISSION.changing);
  }

  /** Null where it is not any more what was listed. */
  async #readAdapted(found: FoundFolder, source: AdaptedSource): Promise<CapabilityRecord | null> {
    const { path, isShipped } = found;
    const { admission, lister } = this.#parts;
    const listed = await admission.admitAdapted(path, { source, listing: null }, { shipped: isShipped });
    if (listed.record.refused !== null) return listed.record;
    const listing = await lister.list(source, listed.record, () => this.#parts.onListed(path));
    if (listing === null) return toRefusedRecord(source.name, ADAPTED.listing);
    const fault = whyNone(source, listing);
    if (fault !== null) return toRefusedRecord(source.name, fault);
    const { record, sources } = await admission.admitAdapted(path, { source, listing }, { shipped: isShipped });
    const isSame = [...sources].every(([file, sha256]) => listed.sources.get(file) === sha256);
    return isSame ? { ...record, grantedAs: grantedAs(source, found) } : null;
  }
}

// No folder's name holds a "/": neither can come into what the other was given.
function grantedAs({ kind, name, root }: AdaptedSource, { source }: FoundFolder): string {
  if (kind === "package") return `package/${source ?? name}`;
  // Each agent's own: what one agent's tool was given is not another's.
  const whose = source === "personal" ? `personal/${hash("sha256", root).slice(0, 16)}` : (source ?? kind);
  return `${whose}/${name}`;
}

/** Why a module, which is its one file, is not taken as a whole, or null. */
function whyNone({ kind }: AdaptedSource, [listing]: readonly EntryListing[]): string | null {
  if (kind !== "module" || listing === undefined) return null;
  if ("failed" in listing) return listing.failed;
  return listing.tools.length === 0 && listing.faults.length === 0 ? ADAPTED.noTools : null;
}
