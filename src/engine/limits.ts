/**
 * Every limit of the engine, once. The unit is in the name: `Ms` milliseconds, `Bytes`, `Count`, `Chars` UTF-16 units.
 * `createEngine({ limits })` takes the same names; a capability's LIMITS may only lower the first five.
 * `docs/limits.md` is held to this table by a test.
 */
export interface LimitRow {
  readonly value: number;
  readonly min: number;
  readonly max: number;
  /** The abuse or the accident that it stops. */
  readonly stops: string;
  /** Who holds to it. */
  readonly where: "host" | "keeper" | "guest" | "admission";
}

const KiB = 1024;
const MiB = 1024 * KiB;

export const LIMITS = {
  // One call; a capability may lower these five.
  callMs: { value: 30_000, min: 10, max: 86_400_000, stops: "a call that never settles", where: "host" },
  idleMs: { value: 0, min: 0, max: 86_400_000, stops: "a long call that gives no sign of life: 0 lets it be silent", where: "host" },
  cpuMs: { value: 10_000, min: 10, max: 86_400_000, stops: "a turn that computes without end", where: "keeper" },
  memoryBytes: { value: 128 * MiB, min: 8 * MiB, max: 4096 * MiB, stops: "a heap that grows without end", where: "keeper" },
  resultBytes: { value: 6 * MiB, min: 1 * KiB, max: 64 * MiB, stops: "a result that swamps the host", where: "guest" },
  concurrency: { value: 64, min: 1, max: 256, stops: "one capability's calls starving the others", where: "host" },

  // Waiting and starting.
  callCount: { value: 256, min: 1, max: 1024, stops: "more calls at once than the machine carries", where: "host" },
  queueCount: { value: 256, min: 1, max: 100_000, stops: "an endless queue behind a slow capability", where: "host" },
  queueMs: { value: 30_000, min: 10, max: 86_400_000, stops: "a call waiting for ever behind others", where: "host" },
  startMs: { value: 10_000, min: 10, max: 600_000, stops: "a cell or a module body that never gets ready", where: "host" },

  // Arguments and results.
  argumentBytes: { value: 4 * MiB, min: 64, max: 64 * MiB, stops: "arguments that swamp the guest", where: "host" },
  depthCount: { value: 128, min: 4, max: 1000, stops: "nesting that overflows whoever walks it", where: "host" },
  faultCount: { value: 20, min: 1, max: 1000, stops: "a million argument faults in one message", where: "guest" },
  messageChars: { value: 4000, min: 100, max: 1_000_000, stops: "an error message as large as memory", where: "guest" },
  valueCount: {
    value: 250_000,
    min: 10,
    max: 10_000_000,
    stops: "a payload of millions of tiny values, each costing the host far more than its bytes",
    where: "host",
  },
  imageCount: { value: 8, min: 0, max: 64, stops: "a result of a thousand pictures", where: "host" },
  imageBytes: { value: 4 * MiB, min: 64, max: 16 * MiB, stops: "a picture no model takes", where: "host" },

  // What a model is told in its prompt.
  promptChars: { value: 2000, min: 400, max: 1_000_000, stops: "a tool whose line in `promptText` fills a model's window", where: "host" },

  // What a guest says while it runs.
  progressCount: {
    value: 64,
    min: 1,
    max: 100_000,
    stops: "a flood of progress: past this many a call, reports are merged",
    where: "guest",
  },
  progressMs: { value: 100, min: 1, max: 60_000, stops: "a flood of progress: the least time between merged reports", where: "guest" },
  detailChars: { value: 500, min: 10, max: 10_000, stops: "a progress detail as large as memory", where: "guest" },
  logCount: {
    value: 1000,
    min: 1,
    max: 1_000_000,
    stops: "a flood of log lines: past this many a call they are counted, not kept",
    where: "guest",
  },
  logChars: { value: 4000, min: 10, max: 100_000, stops: "a log line as large as memory", where: "guest" },
  timerCount: { value: 256, min: 1, max: 100_000, stops: "a flood of timers", where: "guest" },
  frameCount: {
    value: 50_000,
    min: 100,
    max: 10_000_000,
    stops: "a broken keeper flooding the bridge: frames of one call, beside 100 a second",
    where: "host",
  },

  // The cell.
  graceMs: { value: 250, min: 10, max: 10_000, stops: "a cell that does not answer once told to stop", where: "host" },
  idleStopMs: { value: 60_000, min: 10, max: 86_400_000, stops: "memory held by capabilities that nobody calls", where: "host" },
  drainMs: {
    value: 5000,
    min: 1,
    max: 86_400_000,
    stops: "a call of old code keeping new code waiting: past this both run side by side until it has ended",
    where: "host",
  },
  unloadMs: { value: 1000, min: 1, max: 600_000, stops: "an `unload` that never ends", where: "host" },
  crashCount: {
    value: 5,
    min: 1,
    max: 100_000,
    stops: "a capability that crashes again and again: so many within `crashWindowMs`",
    where: "host",
  },
  crashWindowMs: { value: 60_000, min: 10, max: 86_400_000, stops: "crashes of last week counting today", where: "host" },
  quarantineMs: {
    value: 2000,
    min: 1,
    max: 86_400_000,
    stops: "a crash loop burning the machine: how long it is first kept off, twice as long each time after",
    where: "host",
  },
  quarantineMaxMs: { value: 600_000, min: 1, max: 86_400_000, stops: "a pause that grows without end", where: "host" },
  cellCount: { value: 24, min: 1, max: 1024, stops: "more processes than the machine carries", where: "host" },
  sharedCellCount: {
    value: 8,
    min: 2,
    max: 64,
    stops: "one process's end taking the calls of too many capabilities with it, where they share one",
    where: "host",
  },
  spareCount: { value: 1, min: 0, max: 16, stops: "spare processes piling up", where: "host" },
  residentBytes: {
    value: 160 * MiB,
    min: 64 * MiB,
    max: 4096 * MiB,
    stops: "memory outside the isolate's heap: a cell may hold this plus twice `memoryBytes`",
    where: "host",
  },
  watchMs: { value: 50, min: 5, max: 1000, stops: "growth between two looks at a running cell", where: "host" },
  keeperHeapBytes: { value: 64 * MiB, min: 16 * MiB, max: 1024 * MiB, stops: "the keeper's own heap growing", where: "keeper" },
  dataBytes: {
    value: 384 * MiB,
    min: 128 * MiB,
    max: 16_384 * MiB,
    stops: "growth that is faster than any look at it, in a hardened cell: the system refuses more",
    where: "host",
  },
  stderrBytes: { value: 64 * KiB, min: 256, max: 4 * MiB, stops: "a flood on the cell's stderr", where: "host" },

  // What the keeper computes for a guest: hashes, ciphers, signatures, compression.
  nativeBytes: { value: 16 * MiB, min: 64, max: 256 * MiB, stops: "one text to encrypt as large as memory", where: "keeper" },
  nativeStreamCount: {
    value: 32,
    min: 1,
    max: 1024,
    stops: "hashes and compressors left open without end: those that a cell holds at once",
    where: "keeper",
  },
  deriveCount: {
    value: 2_000_000,
    min: 1000,
    max: 100_000_000,
    stops:
      "a key derivation that nothing can interrupt: rounds of PBKDF2 for each block, or `N r p` of scrypt; a million take half a second to a second",
    where: "keeper",
  },

  // Powers, for one call unless said otherwise.
  powerCount: { value: 10_000, min: 1, max: 10_000_000, stops: "a flood of requests to the host", where: "host" },
  powerInFlightCount: { value: 16, min: 1, max: 1024, stops: "requests to the host piling up", where: "guest" },
  powerBytes: { value: 16 * MiB, min: 1 * KiB, max: 256 * MiB, stops: "one request or answer as large as memory", where: "host" },
  effectCount: {
    value: 1000,
    min: 1,
    max: 100_000,
    stops: "an outcome that lists a million operations: past this many they are counted",
    where: "host",
  },

  storageKeyBytes: { value: 512, min: 16, max: 4 * KiB, stops: "a key as large as a value", where: "host" },
  storageValueBytes: { value: 256 * KiB, min: 16, max: 2 * MiB, stops: "a stored value as large as memory", where: "host" },
  storageBytes: { value: 16 * MiB, min: 64, max: 4096 * MiB, stops: "one capability filling the disk with what it keeps", where: "host" },
  storageCount: { value: 10_000, min: 1, max: 10_000_000, stops: "one capability keeping a million tiny values", where: "host" },
  processMs: { value: 20_000, min: 10, max: 86_400_000, stops: "a program that never ends", where: "host" },
  processCount: { value: 32, min: 1, max: 100_000, stops: "a call that starts programs without end", where: "host" },
  processInputBytes: { value: 1 * MiB, min: 64, max: 2 * MiB, stops: "arguments and input that swamp the host", where: "host" },
  processOutputBytes: { value: 1 * MiB, min: 64, max: 2 * MiB, stops: "a program that writes without end", where: "host" },

  // The network.
  fetchMs: {
    value: 30_000,
    min: 10,
    max: 3_600_000,
    stops: "a server that answers a byte at a time: one request with its answer",
    where: "host",
  },
  fetchBytes: {
    value: 32 * MiB,
    min: 64,
    max: 1024 * MiB,
    stops: "an answer without end, or one that unpacks into gigabytes: counted as sent and as decoded",
    where: "host",
  },
  fetchBodyBytes: { value: 8 * MiB, min: 64, max: 256 * MiB, stops: "a request body as large as memory", where: "host" },
  fetchCount: { value: 200, min: 1, max: 1_000_000, stops: "a call that asks a server for ever", where: "host" },
  fetchInFlightCount: { value: 32, min: 1, max: 1024, stops: "answers of one capability left open without end", where: "host" },
  fetchRatePerMinuteCount: {
    value: 600,
    min: 1,
    max: 1_000_000,
    stops: "a capability that floods a server in the owner's name, redirects counted",
    where: "host",
  },
  fetchRedirectCount: { value: 5, min: 0, max: 20, stops: "redirects that lead on for ever", where: "host" },
  fetchUrlChars: { value: 8192, min: 64, max: 65_536, stops: "a URL as large as memory", where: "host" },
  fetchHeaderBytes: {
    value: 32 * KiB,
    min: 512,
    max: 1 * MiB,
    stops: "headers as large as memory, a request's or an answer's",
    where: "host",
  },
  fetchHeaderCount: { value: 128, min: 4, max: 2000, stops: "an answer with ten thousand cookies", where: "host" },

  // Files.
  readBytes: { value: 16 * MiB, min: 1 * KiB, max: 256 * MiB, stops: "one read of a file as large as memory", where: "host" },
  listCount: { value: 10_000, min: 1, max: 1_000_000, stops: "a listing of a million names: past this many it is cut", where: "host" },
  fileBytes: { value: 64 * MiB, min: 1 * KiB, max: 65_536 * MiB, stops: "a file that grows until the disk is full", where: "host" },
  writtenBytes: { value: 512 * MiB, min: 1 * KiB, max: 65_536 * MiB, stops: "a call that fills the disk with many files", where: "host" },
  tempBytes: {
    value: 256 * MiB,
    min: 1 * KiB,
    max: 65_536 * MiB,
    stops: "a capability that fills the disk from its `/tmp`, or from its own folder: what each of the two may hold",
    where: "host",
  },
  tempCount: {
    value: 10_000,
    min: 1,
    max: 1_000_000,
    stops: "a million tiny files in a capability's `/tmp`, or in its own folder: what each of the two may hold",
    where: "host",
  },

  // Reading and bundling a stranger's source.
  sourceBytes: { value: 1 * MiB, min: 1 * KiB, max: 32 * MiB, stops: "a source file that no parser should see", where: "admission" },
  toolCount: { value: 128, min: 1, max: 4096, stops: "a folder of a million tool files", where: "admission" },
  dependencyCount: {
    value: 2000,
    min: 1,
    max: 100_000,
    stops: "a project with a million dependencies: past this many they are not looked at for tools",
    where: "host",
  },
  descriptionChars: { value: 10_000, min: 10, max: 1_000_000, stops: "a description that fills a model's window", where: "admission" },
  literalCount: { value: 20_000, min: 10, max: 1_000_000, stops: "a literal of a million values", where: "admission" },
  schemaBytes: { value: 64 * KiB, min: 256, max: 4 * MiB, stops: "a schema that fills a model's window", where: "admission" },
  schemaDepthCount: { value: 32, min: 2, max: 500, stops: "a schema nested until its compiler overflows", where: "admission" },
  schemaPropertyCount: { value: 1000, min: 1, max: 100_000, stops: "a schema with a million properties", where: "admission" },
  schemaEnumCount: { value: 1000, min: 1, max: 100_000, stops: "an enum that takes a minute to compile", where: "admission" },
  schemaRefCount: { value: 10_000, min: 1, max: 10_000_000, stops: "`$ref`s that double with each level", where: "admission" },
  inputCount: { value: 5000, min: 1, max: 100_000, stops: "a bundle of a million files", where: "admission" },
  inputBytes: { value: 24 * MiB, min: 1 * KiB, max: 512 * MiB, stops: "a bundle of gigabytes of source", where: "admission" },
  bundleBytes: { value: 16 * MiB, min: 1 * KiB, max: 128 * MiB, stops: "a bundle that grows past its sources", where: "admission" },
  admitMs: { value: 20_000, min: 100, max: 600_000, stops: "a source that takes for ever to parse or bundle", where: "admission" },
  admitHeapBytes: { value: 512 * MiB, min: 64 * MiB, max: 4096 * MiB, stops: "a source whose tree outgrows memory", where: "admission" },
  cacheBytes: {
    value: 512 * MiB,
    min: 1 * KiB,
    max: 65_536 * MiB,
    stops: "records and bundles of long ago filling the disk: what was used longest ago goes first",
    where: "admission",
  },
  cacheCount: {
    value: 20_000,
    min: 2,
    max: 10_000_000,
    stops: "a million tiny files in the cache of records and bundles",
    where: "admission",
  },
  admitCount: { value: 2, min: 1, max: 64, stops: "reading folders taking every core", where: "admission" },

  // Jobs.
  jobMs: { value: 1_800_000, min: 10, max: 86_400_000, stops: "a job that never ends: its call's whole time", where: "host" },
  jobRunCount: {
    value: 4,
    min: 1,
    max: 256,
    stops: "more jobs at once than the machine carries, all workers of a home together",
    where: "host",
  },
  jobQueueCount: { value: 10_000, min: 1, max: 1_000_000, stops: "an endless queue of jobs that nobody works on", where: "host" },
  jobBytes: {
    value: 1024 * MiB,
    min: 1 * KiB,
    max: 65_536 * MiB,
    stops: "arguments that wait and outcomes that are kept filling the disk",
    where: "host",
  },
  jobOutcomeBytes: { value: 64 * MiB, min: 1 * KiB, max: 256 * MiB, stops: "an outcome as large as memory kept for days", where: "host" },
  jobKeepMs: { value: 604_800_000, min: 1, max: 31_536_000_000, stops: "outcomes of long ago filling the disk", where: "host" },
  jobKeepCount: { value: 1000, min: 1, max: 1_000_000, stops: "a million ended jobs: past this many the oldest go", where: "host" },
  jobTryCount: {
    value: 3,
    min: 1,
    max: 1000,
    stops: "a job that takes its worker down with it, again and again: how often its tool may be begun",
    where: "host",
  },
  jobPollMs: {
    value: 100,
    min: 5,
    max: 60_000,
    stops: "a queue that is asked without a pause: the time between two looks at it",
    where: "host",
  },
  jobLeaseMs: {
    value: 30_000,
    min: 50,
    max: 86_400_000,
    stops: "a job held for ever by a worker that is gone and that cannot be looked for from here: how long it may be silent",
    where: "host",
  },

  // Listing the tools of sources that have to be run for that.
  moduleCount: {
    value: 256,
    min: 1,
    max: 100_000,
    stops: "a folder of a million tool modules, each to be listed: the first by name are taken, and the rest is skipped",
    where: "host",
  },
  listMs: { value: 5000, min: 50, max: 600_000, stops: "a module or a package that lists its tools for ever", where: "host" },
  listBytes: { value: 8 * MiB, min: 1 * KiB, max: 64 * MiB, stops: "a list of tools as large as memory", where: "guest" },
  listWaitMs: {
    value: 10_000,
    min: 1,
    max: 600_000,
    stops: "many that take their time keeping an engine from starting: past this the rest comes when it is listed",
    where: "host",
  },

  // Watching the folders.
  settleMs: { value: 40, min: 1, max: 60_000, stops: "a file read half written: how long its folder must be quiet first", where: "host" },
  settleMaxMs: {
    value: 1000,
    min: 1,
    max: 600_000,
    stops: "a program that writes without end keeping a change from being seen",
    where: "host",
  },
  watchCount: {
    value: 4096,
    min: 1,
    max: 1_000_000,
    stops: "every watch of the system taken: further folders are looked at once a second",
    where: "host",
  },
} as const satisfies Record<string, LimitRow>;

export type LimitName = keyof typeof LIMITS;
export type Limits = { readonly [name in LimitName]: number };
