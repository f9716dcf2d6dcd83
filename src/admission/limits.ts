/** What bounds the reading and bundling of folders; the engine's limits have the same names and more. */
export interface AdmissionLimits extends ReadingLimits {
  readonly cacheBytes: number;
  readonly cacheCount: number;
}

/** Of these, what can change what a folder is read as. */
export interface ReadingLimits {
  readonly sourceBytes: number;
  readonly toolCount: number;
  readonly descriptionChars: number;
  readonly literalCount: number;
  readonly schemaBytes: number;
  readonly schemaDepthCount: number;
  readonly schemaPropertyCount: number;
  readonly schemaEnumCount: number;
  readonly schemaRefCount: number;
  readonly inputCount: number;
  readonly inputBytes: number;
  readonly bundleBytes: number;
  readonly admitMs: number;
  readonly admitHeapBytes: number;
  readonly admitCount: number;
}

/** The same names and no others. */
export function toAdmissionLimits(limits: AdmissionLimits): AdmissionLimits {
  return { ...toReadingLimits(limits), cacheBytes: limits.cacheBytes, cacheCount: limits.cacheCount };
}

/** The same names and no others: the engine's further limits change nothing in what a folder is read as. */
export function toReadingLimits(limits: ReadingLimits): ReadingLimits {
  return {
    sourceBytes: limits.sourceBytes,
    toolCount: limits.toolCount,
    descriptionChars: limits.descriptionChars,
    literalCount: limits.literalCount,
    schemaBytes: limits.schemaBytes,
    schemaDepthCount: limits.schemaDepthCount,
    schemaPropertyCount: limits.schemaPropertyCount,
    schemaEnumCount: limits.schemaEnumCount,
    schemaRefCount: limits.schemaRefCount,
    inputCount: limits.inputCount,
    inputBytes: limits.inputBytes,
    bundleBytes: limits.bundleBytes,
    admitMs: limits.admitMs,
    admitHeapBytes: limits.admitHeapBytes,
    admitCount: limits.admitCount,
  };
}
