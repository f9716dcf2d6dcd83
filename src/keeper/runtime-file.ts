/** The guest's runtime: a script whose value is a function of the keeper's two. */
export interface Runtime {
  readonly source: string;
  /** What V8 has compiled of it already; null where that is another V8's. */
  readonly cache: Uint8Array | null;
}

// One file holds both, since a keeper may read no other: the source, in ASCII, what is compiled of it, by which V8, and in the last
// bytes where the second and the third begin. V8 takes no cache of another version, of other flags or for another source, and
// then the source is compiled anew.
const FOOTER_BYTES = 8;

/** The bytes of a runtime file. */
export function packRuntime({ source, cache }: Runtime): Buffer {
  const text = Buffer.from(source, "latin1");
  const compiled = cache ?? new Uint8Array(0);
  const footer = Buffer.alloc(FOOTER_BYTES);
  footer.writeUInt32LE(text.length, 0);
  footer.writeUInt32LE(text.length + compiled.length, 4);
  return Buffer.concat([text, compiled, Buffer.from(cache === null ? "" : maker()), footer]);
}

/** Reads a runtime file. Neither part holds on to the file's bytes. */
export function unpackRuntime(file: Buffer): Runtime {
  const footerAt = file.length - FOOTER_BYTES;
  const [cacheAt, makerAt] = [file.readUInt32LE(footerAt), file.readUInt32LE(footerAt + 4)];
  const isOurs = file.toString("latin1", makerAt, footerAt) === maker();
  return { source: file.toString("latin1", 0, cacheAt), cache: isOurs ? new Uint8Array(file.subarray(cacheAt, makerAt)) : null };
}

function maker(): string {
  return `${process.versions.v8}-${process.platform}-${process.arch}`;
}
