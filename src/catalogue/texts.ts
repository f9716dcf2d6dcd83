/**
 * Every sentence that an outcome, a listing or an error shows, once. What a model reads says what happened and what to
 * do; it names no host path and no stack. Sentences built from a guest's words take them already capped.
 */

// ---- What a model reads: outcomes of calls -------------------------------------------------------------------------

/** Written inside the guest, about what a package returned or was given. */
export const GUEST = {
  tooManyValues: "The result holds too many values. Return fewer, in pages, or as text",
  tooLarge: "The result is too large. Return less, in pages",
  textTooLarge: (chars: number, bytes: number) =>
    `The text of ${chars} characters is far over the limit of ${bytes} bytes. Return less, in pages`,
  tooDeep: (levels: number) => `The result is nested deeper than ${levels} levels, or refers to itself`,
  notJson: "The result is no JSON value",
  notData: (type: string, path: string) => `There is a ${type} at \`${path}\`: return data only`,
  bigIntTooLarge: (path: string) => `The BigInt at \`${path}\` is too large`,
  dataView: "A DataView is no JSON value: return its numbers",
  textNotString: "`text` of the result must be a string",
  summaryNotString: "`summary` of the result must be a string",
  imagesNotArray: "`images` of the result must be an array of `{ mediaType, data }`",
  imageMalformed: (index: number) => `Image ${index + 1} must be \`{ mediaType, data }\` with both as strings`,
  threwNothing: "a value that is no Error",
  unreadableError: "an error that cannot be read",
  readingThrew: (what: string) => `Reading the result threw ${what}`,
  timerCount: (count: number) => `A call may have at most ${count} timers at once`,
  timerNotFunction: "A timer's callback must be a function",
  callEnded: "This call has ended",
  powerBytes: (bytes: number) => `A request to the host may carry at most ${bytes} bytes: send it in parts`,
  powersInFlight: (count: number) => `A call may have at most ${count} requests to the host under way at once`,
  aborted: "The call was cancelled",
  storeKey: (bytes: number) => `The key must be a string of at most ${bytes} bytes`,
  storeNotJson: (reason: string) => `The value cannot be stored as a result could not be returned: ${reason}`,
  storeTooLarge: (bytes: number) => `A stored value may have at most ${bytes} bytes of JSON (storageValueBytes): keep less, or in parts`,
  secretName: "The name of a secret must be a string of at most 64 characters",
  credentialName: (name: string) => `\`${name}\` of getCredential must be a text of 1 to 64 characters`,
  programArgs: "A program, its arguments, its folder and its environment must be strings, the arguments in an array",
  programInput: "`input` must be a string or a Uint8Array",
  programTooLarge: (bytes: number) =>
    `Arguments, environment and input of a program may have at most ${bytes} bytes together (processInputBytes)`,
  noRun: (file: string) => `${file} exports no function \`run\``,
  noTool: (name: string) => `The bundle has no tool "${name}"`,
  noBundle: "The bundle handed over no tools",
  addonChanged: (file: string) => `${file} is not the native addon that was read: read the folder again, and look at what has changed`,
  powersInModule: "The host can be asked for something in `run`, not while the module is loaded",
  fileContent: "The content must be a string, a typed array or an ArrayBuffer",
  fileOption: (name: string) => `The option \`${name}\` of fs/promises is not available to a sealed tool with this value`,
  filePath: "The path must be a string: a sealed tool opens no URL, Buffer or file descriptor",
  fileListTooLong: "The folder holds more names than can be listed at once: use `context.fs.list`",
  linesDropped: (count: number) => `${count} more lines of this call were not kept`,
} as const;

/** What a package reads that takes a sealed tool for Node. */
export const NODE = {
  notAvailable: (name: string) => `${name} is not available to a sealed tool`,
  fileSync: (name: string) =>
    `${name} is not available to a sealed tool, whose files the host reads and writes while it goes on: use fs/promises, or \`context.fs\``,
  processFunction: (name: string) => `process.${name} is not available to a sealed tool: return from \`run\`, or throw a ToolError`,
  requireLater: (name: string) => `"${name}" cannot be loaded while a sealed tool runs: import it by name, so that it is bundled`,
} as const;

/** Argument faults, one sentence each, as the guest words them from the validator's findings. */
export const FAULTS = {
  at: (path: string, rest: string) => (path === "" ? `The arguments ${rest}` : `\`${path}\` ${rest}`),
  required: (name: string) => `need \`${name}\`, which is missing`,
  requiredIn: (name: string) => `needs \`${name}\`, which is missing`,
  unknown: (name: string) => `must not have \`${name}\``,
  type: (wanted: string, given: string) => `must be ${wanted}, not ${given}`,
  oneOf: (values: string) => `must be one of ${values}`,
  constant: (value: string) => `must be ${value}`,
  format: (format: string, example: string | null) => `must be a valid ${format}${example === null ? "" : `, such as ${example}`}`,
  pattern: (pattern: string) => `must match ${pattern}`,
  bound: (comparison: string, limit: string) => `must be ${comparison} ${limit}`,
  multipleOf: (step: string) => `must be a multiple of ${step}`,
  minLength: (count: number) => `must have at least ${count} characters`,
  maxLength: (count: number) => `must have at most ${count} characters`,
  minItems: (count: number) => `must have at least ${count} items`,
  maxItems: (count: number) => `must have at most ${count} items`,
  unique: (first: number, second: number) => `must not hold an item twice: items ${first + 1} and ${second + 1} are the same`,
  item: (position: number) => `must not hold its item ${position}`,
  contains: (least: number, most: number | undefined) =>
    most === undefined
      ? `must hold at least ${least} ${least === 1 ? "item" : "items"} of the kind asked for`
      : `must hold at least ${least} and at most ${most} items of the kind asked for`,
  minProperties: (count: number) => `must have at least ${count} properties`,
  maxProperties: (count: number) => `must have at most ${count} properties`,
  propertyName: (name: string, rest: string) => `has the property \`${name}\`, whose name ${rest}`,
  requiredWith: (name: string, other: string) => `must have \`${name}\`, which is missing, since \`${other}\` is given`,
  never: "is not allowed here",
  noForm: (forms: string) => `fits none of the forms allowed: ${forms}`,
  form: (position: number, why: string) => `(${position}) ${why}`,
  and: " and ",
  moreForms: (count: number) => `${count} more forms are not listed`,
  severalForms: (first: number, second: number) => `fits the forms ${first} and ${second} of those allowed; it must fit exactly one`,
  not: "is a value that is not allowed",
  other: (message: string) => message,
  more: (count: number) => `${count} more faults are not listed`,
} as const;

/** What became of a cell, as a model reads it. */
export const DEATH = {
  memory: "It needed more memory than it may have. Ask for less at a time",
  neighbour: "Its cell was ended because another call of the same capability could not be stopped. Call again",
  shared: "Its cell ended with the process that it shares with other capabilities. Call again",
  protocol: "Its cell broke the bridge's rules and was ended",
  closed: "The engine was closed",
  start: "Its cell did not start in time",
  crash: (how: string) => `Its cell's process ended by itself (${how}). Call again; if it stays so, the capability needs repair`,
  threw:
    "Code of its capability that no call waited for threw an error, and nothing caught it, so its thread was ended. Call again; if it stays so, the capability needs repair",
  exited: (code: number) =>
    `Its capability ended its own thread with exit code ${code}. Call again; if it stays so, the capability needs repair`,
  cpu: (ms: number) => `It computed for more than ${ms} ms without a pause, which is its limit. Ask for less at a time`,
  deadline: "It did not end before its deadline. Ask for less, or allow more time",
  silent: "It gave no sign of life for too long",
  cancelled: "The caller gave it up",
  unloadUnheard: "Its cell ended before it could begin",
  unloadOverdue: (ms: number) => `It did not end within ${ms} ms (unloadMs)`,
  loadMemory: "Loading it needed more memory than it may have",
  loadCpu: (ms: number) => `Loading it computed for more than ${ms} ms, which is its limit`,
} as const;

/** Why a cell did not get ready. */
export const START = {
  closed: "The engine was closed",
  nextOverdue: (ms: number) => `its modules did not load within ${ms} ms`,
  quarantined: (capability: string, ms: number) =>
    `The capability "${capability}" crashed again and again, so it is kept off for ${Math.max(1, Math.ceil(ms / 1000))} s more. Wait that long, or do without it`,
  bundleLost: "what was read of it is lost, and its source is not what it was. The engine has to read it again (`refresh`)",
  keeperTimeout: (ms: number) => `The cell's process was not ready after ${ms} ms`,
  keeperDied: "The cell's process ended before it was ready. The owner's log says more; `toolcell doctor` tries it out",
} as const;

/** A trusted capability's thread, for the owner's log. */
export const THREAD = {
  stays: "A thread could not be ended: it is in native code that does not come back, and the engine's own process cannot exit before it",
  linesDropped: (count: number) => `${count} more lines of a second were not kept`,
} as const;

/** The walls around a cell's process: what was seen of one that stands, and why one does not. For owners and embedders. */
export const WALL = {
  seen: {
    process: "a cell has a process of its own, and SIGKILL ends it",
    "permission-model":
      "a cell reads and writes no file, starts nothing, opens no inspector, loads no addon, and cannot take any of that back",
    environment: "a cell sees no environment variable and no open file of the host",
    "no-core-dumps": "a cell that crashes leaves no core dump",
    "memory-watch": "the host reads how much memory a busy cell holds, and kills one that outgrows its bound",
    "no-network": "a cell reaches no network, the machine's own included",
    bubblewrap:
      "a cell stands in namespaces of its own, with no file of the machine's but Node, its libraries and the keeper, all read-only",
    jitless: "V8 makes no machine code in a cell, and there is no WebAssembly",
    "data-limit": "the system itself refuses a cell more memory than `dataBytes`",
  },
  through: (attempts: readonly string[], remedy: string) => `from the inside it could ${attempts.join(", ")}: ${remedy}`,
  updateNode: "update Node to the latest release of its line",
  getBubblewrap: "install bubblewrap, or allow unprivileged user namespaces",
  report: "this is a fault of the engine, please report it",
  notKilled: "SIGKILL did not end it",
  coreDumps: "the system does not let a cell's core dumps be turned off",
  memoryUntold: "this system does not tell how much memory another process holds: each cell's keeper watches itself",
  noBubblewrap: "bwrap is not in PATH, or this is no Linux: install the package bubblewrap",
  bubblewrapFell: (reason: string) => `bwrap is installed and does not work (${reason}): allow unprivileged user namespaces`,
  fell: (kind: string, reason: string) => `Cells start without ${kind}, which is installed and does not work (${reason})`,
  withoutIt: (why: string, attempts: readonly string[]) => `${why}. Without it a keeper that was taken over could ${attempts.join(", ")}`,
  notHardened: "only with `policy.hardened`, or when the policy requires it",
  required: (wall: string, why: string) =>
    `No cell starts, because the owner's policy requires the wall "${wall}" and it does not stand on this machine: ${why}. \`toolcell doctor\` tries every wall`,
  whenHardened: (why: string) => `with \`policy.hardened\` ${why}`,
  unknown: (name: unknown, known: readonly string[]) =>
    `Option \`policy.require\` names "${String(name)}", which is no wall. There is ${known.join(", ")}`,
  notPolicy: "Option `policy.require` must be an array of walls, and `policy.hardened` a boolean",
  probeDied: "The probe ended without an answer",
} as const;

/** Marks of what was left out of a text or of a JSON value. */
export const TRIM = {
  leftOut: (chars: number) => `\n… ${chars} characters left out …\n`,
  itemsLeftOut: (count: number) => `… ${count} items left out …`,
  nestedLeftOut: "… left out …",
  keysLeftOut: (count: number) => `${count} more keys left out`,
} as const;

/** Why a picture is none. */
export const IMAGES = {
  tooMany: (count: number, limit: number) => `The result has ${count} images, more than the ${limit} allowed`,
  tooLarge: (index: number, bytes: number, limit: number) =>
    `Image ${index + 1} of the result has ${bytes} bytes, more than the ${limit} allowed`,
  notBase64: (index: number) => `Image ${index + 1} of the result is not valid base64`,
  unknownType: (index: number) => `Image ${index + 1} of the result is no PNG, JPEG, GIF or WebP`,
} as const;

/** Outcomes of calls that failed. */
export const OUTCOME = {
  failed: (tool: string, message: string, started: boolean, advice = "") =>
    `${tool} ${started ? "failed" : "was not run"}: ${sentence(message)}${advice === "" ? "" : ` ${advice}`}`,
  summary: (code: string) => code.toLowerCase().replaceAll("_", " "),
  unknownTool: (name: string, known: readonly string[]) =>
    known.length === 0 ? `There is no tool "${name}", and no other either` : `There is no tool "${name}". There is: ${known.join(", ")}`,
  collision: (name: string, owners: readonly string[]) =>
    `Two capabilities offer a tool "${name}" (${owners.join(", ")}), so neither is used: the owner has to remove or rename one`,
  noCommand: (module: string, known: readonly string[]) =>
    `There is no tool module "${module}" with a command line of its own whose tools may all be used. There is: ${known.join(", ") || "none"}`,
  notObject: (given: string) => `The arguments must be a JSON object, not ${given}`,
  notJson: (reason: string) => `The arguments are no JSON: ${reason}`,
  protoKey: "The arguments must not have a property named `__proto__`",
  argumentBytes: (bytes: number, limit: number) => `The arguments take ${bytes} bytes, more than the ${limit} allowed: send less`,
  argumentDepth: (limit: number) => `The arguments are nested deeper than ${limit} levels`,
  busy: (waiting: number) => `${waiting} calls of this capability wait already. Call again later`,
  queueTimeout: (ms: number, running: number, waiting: number) =>
    `It waited ${ms} ms for its turn and was never begun: ${running} calls were running, ${waiting} waiting. Call again later`,
  startTimeout: (ms: number, capability: string) =>
    `The cell of "${capability}" was not ready after ${ms} ms, so the tool was never begun. Call again`,
  callTimeout: (ms: number) => `It did not end within ${ms} ms. Ask for less, or allow more time`,
  loadFailed: (message: string) => `Its code could not be loaded: ${sentence(message)} Its capability needs repair`,
  exception: (message: string) => `It threw ${sentence(message)} Try other arguments; if it stays so, its capability needs repair`,
  retryable: "Calling again later may succeed.",
  cancelled: "The caller gave it up",
  neverBegun: (cells: number) => `${cells} cells of its capability ended before it was begun. Call again later`,
  progressThrew: "`onProgress` threw",
  policyThrew: (capability: string) => `\`policy.grant\` threw for "${capability}": it is granted nothing`,
  unloadFailed: (tool: string, message: string) => `What "${tool}" does before it is let go (\`unload\`) failed: ${sentence(message)}`,
  kept: (capability: string, reason: string) =>
    `What "${capability}" is now is not taken, and what it was goes on serving: ${sentence(reason)}`,
  quarantined: (capability: string, ms: number) => `"${capability}" crashed again and again and is kept off for ${ms} ms`,
  reloadFailed: "What has changed on disk could not be read; `refresh` tries again",
  listenerThrew: (name: string) => `A listener to "${name}" threw`,
  wentAway: (name: string) => `The tool "${name}" is not there any more: it was taken away while the call waited. Look at what there is`,
  silent: (ms: number) => `It gave no sign of life for ${ms} ms. Ask for less, or allow it to be silent for longer (idleMs)`,
  cellEnded: (capability: string, how: string) => `The cell of "${capability}" ended: ${how}`,
} as const;

/** A message as a sentence: with its final period. */
function sentence(message: string): string {
  return /[.!?…:]$/u.test(message) ? message : `${message}.`;
}

/** Why the host does not do what a guest asks for. No sentence names a path of the machine. */
export const POWER = {
  count: (count: number) => `A call may make at most ${count} requests to the host`,
  inFlight: (count: number) => `A call may have at most ${count} requests to the host under way at once`,
  requestBytes: (bytes: number) => `A request to the host may carry at most ${bytes} bytes: send it in parts`,
  answerBytes: (bytes: number) => `An answer of the host may carry at most ${bytes} bytes: ask for it in parts`,
  moreEffects: (count: number) => `${count} more operations are not listed`,
  failed: "The host could not do it",
  unknownOp: (op: string) => `There is no operation "${op}"`,
  malformed: (what: string) => `The request has no valid ${what}`,
} as const;

/** Why a tool may not call another. */
export const TOOLS = {
  denied: "Only the tests of a capability may call tools, and only where `toolcell test` runs them",
  outcomeBytes: (bytes: number) => `The outcome is larger than ${bytes} bytes (powerBytes): let the tool return less`,
} as const;

/** Why a request over the network is refused, or what became of it. No sentence shows an address that a name leads to. */
export const NETWORK = {
  notGranted: (capability: string, host: string) =>
    `The host "${host}" is not granted to this capability: it asks for it in PERMISSIONS.network, the owner grants it with \`toolcell grant ${capability}\``,
  privateAddress: (capability: string, host: string) =>
    `"${host}" is a private address, which only a grant of that very address opens: it asks for "${host}" in PERMISSIONS.network, the owner grants it with \`toolcell grant ${capability}\``,
  leadsInside: (host: string) =>
    `"${host}" does not lead to a public address, so nothing was sent there: only a granted address, written out, opens a private one`,
  metadata: "Metadata services of a cloud are never reached",
  url: "The URL cannot be read: write it whole, such as https://api.example.com/path",
  urlChars: (chars: number) => `The URL is longer than ${chars} characters (fetchUrlChars)`,
  urlControl: "The URL holds a control character: escape it",
  scheme: "Only https: and http: URLs are fetched",
  userInfo: "The URL holds a user name or a password: send them in the header `authorization`",
  host: "The URL's host is no name: it has letters, digits, `-` and `_` between single dots",
  method: (methods: string) => `The method must be one of ${methods}, in capitals`,
  bodyOf: (method: string) => `A ${method} request has no body`,
  headerName: "A header's name must be a token of letters, digits and `-`",
  headerValue: (name: string) => `The value of the header \`${name}\` may hold no line break, no NUL and nothing past Latin-1`,
  headerForbidden: (name: string) => `The header \`${name}\` is not a tool's to set: leave it out`,
  headerCount: (count: number) => `A request has at most ${count} headers (fetchHeaderCount)`,
  headerBytes: (bytes: number) => `A request has at most ${bytes} bytes of headers (fetchHeaderBytes)`,
  answerHeaderCount: (count: number) => `The answer has more than ${count} headers (fetchHeaderCount)`,
  answerHeaderBytes: (bytes: number) => `The answer has more than ${bytes} bytes of headers (fetchHeaderBytes)`,
  bodyBytes: (bytes: number) => `A request has a body of at most ${bytes} bytes (fetchBodyBytes): send it in parts`,
  bytes: (bytes: number) => `The answer is larger than ${bytes} bytes (fetchBytes): ask for less`,
  ms: (ms: number) => `The request did not end within ${ms} ms (fetchMs): ask for less, or ask a faster server`,
  count: (count: number) => `A call may make at most ${count} requests (fetchCount)`,
  inFlight: (count: number) =>
    `A capability may have at most ${count} answers open at once (fetchInFlightCount): read or cancel those it has`,
  rate: (count: number) => `A capability may make at most ${count} requests a minute (fetchRatePerMinuteCount): wait before the next`,
  redirects: (count: number) => `The request was redirected more than ${count} times (fetchRedirectCount)`,
  redirected: (host: string) => `"${host}" redirects the request, which asked for none (redirect: "error")`,
  downgrade: "The server redirects from https: to http:, which is not followed",
  secretInClear: (host: string) => `A secret is sent over https: only, and "${host}" was asked over http:`,
  secretElsewhere: (host: string) => `The server redirects a body with a secret in it to "${host}", where it is not sent`,
  notFound: (host: string, code: string) => `The host "${host}" has no address (${code})`,
  unreachable: (host: string, code: string) => `"${host}" cannot be reached (${code})`,
  notSecure: (host: string, code: string) => `No secure connection to "${host}" could be made, so nothing was sent (${code})`,
  notHttp: (host: string) => `What "${host}" answers is no HTTP`,
  noAnswer: (host: string) => `"${host}" closed the connection before it answered`,
  truncated: (host: string) => `The answer of "${host}" was truncated: the connection ended before its end`,
  undecodable: (host: string) => `The answer of "${host}" does not decode as its content-encoding says`,
  notReadable: "There is no answer to read under this number, or it is being read",
  aborted: "The request was given up",
} as const;

/** Why a file is not read, written or found. The paths in them are a guest's own. */
export const FILES = {
  outside: "The path leads outside what a tool can reach: /workspace, /home, /capability and /tmp",
  notGranted: (mount: string, permission: string) => `${mount} needs the permission \`${permission}\`, which the owner has not granted`,
  readOnly: (mount: string) => `${mount} is granted for reading only`,
  gone: (mount: string) => `The folder behind ${mount} is missing, or is not the one that it was`,
  notString: "The path must be a string",
  badCharacter: "The path must be well-formed and without NUL characters",
  empty: "The path is empty",
  tooLong: "The path, or a name in it, is too long",
  mountItself: "A mount itself can be neither written, moved nor removed",
  notRegular: "It is no regular file",
  severalNames: "The file has more than one name (hard links), and one of them may be outside",
  danglingLink: "It is a link that leads to nothing, and nothing is written through it",
  trustedName: (name: string) => `"${name}" is a name from which other programs take code or trust: it is not written, moved or removed`,
  codeFolder: "Code is loaded from this folder: nothing in it is written, moved or removed",
  codeName: "Code is neither written nor changed in /capability",
  shipped: "The file belongs to the package: only what the tool has made itself in /capability can be changed",
  readBytes: (bytes: number) => `At most ${bytes} bytes are read at once (readBytes): read in parts, with \`start\` and \`length\``,
  fileBytes: (bytes: number) => `A file that a tool writes may have at most ${bytes} bytes (fileBytes)`,
  writtenBytes: (bytes: number) => `A call may write at most ${bytes} bytes in all (writtenBytes)`,
  tempBytes: (bytes: number) => `A capability may hold at most ${bytes} bytes here (tempBytes): remove what is not needed`,
  tempCount: (count: number) => `A capability may hold at most ${count} files and folders here (tempCount): remove what is not needed`,
  callEnded: "The call has ended",
  byCode: {
    EACCES: (path: string) => `The system does not allow it: "${path}"`,
    EAGAIN: (path: string) => `It changed while it was being looked at: "${path}"`,
    EBUSY: (path: string) => `It is in use: "${path}"`,
    EDQUOT: () => "The disk quota is used up",
    EEXIST: (path: string) => `There is something already: "${path}"`,
    EINVAL: (path: string) => `That cannot be done with "${path}"`,
    EIO: (path: string) => `The system could not do it: "${path}"`,
    EISDIR: (path: string) => `It is a folder: "${path}"`,
    ELOOP: (path: string) => `Too many links lead on from "${path}"`,
    EMFILE: () => "Too many files are open",
    ENAMETOOLONG: (path: string) => `The path, or a name in it, is too long, or it is nested too deeply: "${path}"`,
    ENOENT: (path: string) => `There is no file or folder "${path}"`,
    ENOSPC: () => "The disk is full",
    ENOTDIR: (path: string) => `It is no folder, or leads through something that is none: "${path}"`,
    ENOTEMPTY: (path: string) => `The folder is not empty: "${path}"`,
    EPERM: (path: string) => `The system does not allow it: "${path}"`,
    EROFS: (path: string) => `It stands on a disk that is read-only: "${path}"`,
    EXDEV: (path: string) => `Nothing is moved from one mount to another, or from one disk to another; copy it and remove it: "${path}"`,
  },
} as const;

/** What the guest's own half of `fetch` says of its wrong use, in the manner of the platform. */
export const FETCH = {
  failed: "fetch failed",
  terminated: "terminated",
  aborted: "This operation was aborted",
  timedOut: "The operation was aborted due to timeout",
  headerName: "Headers: this is no header name",
  headerValue: "Headers: a value may hold no line break, no NUL and nothing past Latin-1",
  headersInit: "Headers: an object, or pairs of a name and a value",
  immutable: "Headers: these cannot be changed",
  notMethod: "Request: this is no method",
  forbiddenMethod: (method: string) => `Request: the method ${method} is not allowed`,
  noUrl: "This is no URL: write it whole, with its scheme",
  urlWithPassword: "Request: a URL may hold no user and no password: send them in a header",
  bodyOfGet: "Request: a GET or HEAD request has no body",
  duplex: 'Request: a body that is a stream needs `duplex: "half"`, the only kind there is',
  bodyUsed: "The body was already read",
  locked: "The stream was read from, or is locked to a reader",
  notStream: "The body is no ReadableStream of bytes",
  status: "Response: the status is a whole number from 200 to 599",
  statusText: "Response: this is no reason phrase",
  bodyOfNull: (status: number) => `Response: an answer with status ${status} has no body`,
  redirectStatus: "Response: a redirect has the status 301, 302, 303, 307 or 308",
  notJson: "Response: the value has no JSON",
  notBytes: "Bytes must be an ArrayBuffer or a view of one",
  sharedMemory: "Memory that is shared is not available here",
} as const;

/** What the platform's globals throw. Their kinds are the standards', their words ours. */
export const WEB = {
  illegal: "Illegal constructor",
  tooFew: (what: string, needed: number, given: number) =>
    `${what}: ${needed} argument${needed === 1 ? "" : "s"} needed, but only ${given} given`,
  notDictionary: (what: string) => `${what} must be an object`,
  notCallback: "The callback must be a function",
  notEvent: "The event must be an Event",
  isDispatching: "The event is being dispatched already",
  notListener: "A listener must be a function, or an object with `handleEvent`",
  notSignal: "The signal is no AbortSignal",
  notSignals: "The signals must be a list of AbortSignals",
  notDelay: "The time must be a whole number of milliseconds from 0 on",
  notLatin1: "The text holds characters past Latin-1: encode it first, for one with TextEncoder",
  notBase64: "The text is no base64",
  notUrl: "Invalid URL",
  notPairs: "A list must hold pairs of a name and a value",
  noEncoding: (label: string) => `The encoding "${label}" is not in the Encoding Standard`,
  malformed: (encoding: string) => `The encoded data was not valid for encoding ${encoding}`,
  notUint8Array: "The destination must be a Uint8Array",
  noFormat: (format: string) => `The format "${format}" is none of "gzip", "deflate", "deflate-raw" and "brotli"`,
  notCompressed: (format: string) => `The data is not valid ${format}, or stops short of its end`,
  notParts: "The parts must be a list, such as an array",
  endings: '`endings` is "transparent" or "native"',
  noForm: "There are no HTML forms here: append the entries",
  notBlob: "Only a Blob can have a file name",
  notFormData: "The body is no form: its Content-Type must say which kind, and it must be whole",
  noWindow: "There is no window here: leave `window` out, or make it null",
  noMode: (name: string, value: string) => `Request: \`${name}\` may not be "${value}"`,
  notCloneable: (what: string) => `${what} could not be cloned`,
  notTransferList: "`transfer` must be a list of what to hand over",
  transferredTwice: "An ArrayBuffer stands in `transfer` more than once",
  noTimer: (label: string) => `There is no timer "${label}"`,
  timerRuns: (label: string) => `The timer "${label}" runs already`,
  noCount: (label: string) => `There is no count "${label}"`,
} as const;

/** What the keeper computes for a guest. */
export const NATIVES = {
  missing: "This is not available here",
  noMemory: "There is no memory for this",
  size: (bytes: number) => `At most ${bytes} bytes can be worked on at once (nativeBytes): use smaller pieces`,
  work: (count: number) => `This would take more than ${count} rounds (deriveCount): use fewer`,
  count: (count: number) => `At most ${count} hashes, ciphers and compressors can be open at once (nativeStreamCount): end one first`,
  data: "The data is not what it should be",
  state: "It has ended, or its call has",
  arguments: "There is no such operation",
  noHash: (name: string) => `There is no hash "${name}"`,
  wasmSource: "The source of a WebAssembly module must be an ArrayBuffer or a view of one",
  sharedMemory: "Memory that is shared is not available here",
} as const;

/** Web Crypto, in the guest. */
export const CRYPTO = {
  illegal: "Illegal constructor",
  illegalInvocation: "Illegal invocation",
  notAlgorithm: "The algorithm must be a string, or an object with a `name`",
  unsupported: (name: string, method: string) => `"${name}" is no algorithm for \`${method}\``,
  notKey: "The key must be a CryptoKey",
  otherKey: (key: string, asked: string) => `The key is for ${key}, not for ${asked}`,
  usage: (usage: string) => `The key may not be used for \`${usage}\``,
  badUsages: (name: string) => `A key for ${name} cannot be used so: name other \`keyUsages\``,
  noUsages: "A secret or a private key needs `keyUsages`",
  notExtractable: "The key is not extractable",
  format: (format: string, name: string) => `A key for ${name} has no format "${format}"`,
  badKey: "The key's data is not what it should be",
  badJwk: (field: string) => `\`${field}\` of the JWK does not fit`,
  parameter: (name: string) => `\`${name}\` of the algorithm is missing, or not what it should be`,
  notBytes: "The data must be an ArrayBuffer or a view of one",
  failed: "The operation failed",
  notInteger: "An array of integers is needed",
  quota: (bytes: number) => `At most ${bytes} random bytes are given at once`,
} as const;

/** Why a value is not stored, or not read. */
export const STORAGE = {
  denied: "`context.storage` needs the permission `storage`, which its owner gives with `toolcell grant`",
  key: (name: string) => `The ${name} must be a well-formed string without NUL characters`,
  emptyKey: "The key must not be empty",
  keyBytes: (bytes: number) => `A key may have at most ${bytes} bytes (storageKeyBytes)`,
  valueBytes: (bytes: number) => `A stored value may have at most ${bytes} bytes of JSON (storageValueBytes): keep less, or in parts`,
  valueShape: (depth: number, values: number) =>
    `A stored value may be nested ${depth} levels deep (depthCount) and hold ${values} values (valueCount): keep less`,
  total: (bytes: number) => `This capability may store ${bytes} bytes in all (storageBytes): delete what is not needed`,
  count: (count: number) => `This capability may store ${count} keys in all (storageCount): delete what is not needed`,
  busy: "Another process holds the storage: try again",
  full: "The disk is full",
  unwritable: "The owner's storage.db cannot be opened or written: the owner has to look at its permissions and its disk",
  damaged:
    "The owner's storage.db is damaged and nothing in it was touched: the owner has to restore it from a backup, or to move it away to start empty",
  newer: "The owner's storage.db was made by a newer toolcell: the owner has to update this one",
  closed: "The engine was closed",
} as const;

/** Secrets: what a guest, and what the owner of the vault reads. */
export const SECRETS = {
  denied: (name: string) =>
    `The secret "${name}" is not granted to this capability: it has to ask for it in PERMISSIONS.secrets, and its owner to give it with \`toolcell grant\``,
  missing: (name: string) => `There is no secret "${name}" yet: the owner sets it with \`toolcell secret set ${name}\``,
  host: (name: string, host: string) => `The secret "${name}" may not be sent to ${host}: the owner has not granted it for that host`,
  stale: "The text holds a stand-in for a secret that this engine has not given to this capability: call `context.secrets.get` again",
  masked: (name: string) => `[secret ${name}]`,
  name: "The name of a secret is a string of letters, digits and `_`, such as WEATHER_KEY, at most 64 characters",
  short: (chars: number) =>
    `A secret must have at least ${chars} characters: a shorter one turns up in ordinary text by chance, and hiding it would hide that text`,
  long: (bytes: number) => `A secret may have at most ${bytes} bytes`,
  malformed: "A secret must be well-formed text without NUL characters",
  tooMany: (count: number) => `A vault holds at most ${count} secrets`,
  locked: "Another process is changing the secrets: try again",
  vaultDamaged: "secrets.json is damaged and was left as it is: restore it from a backup, or move it away and set the secrets again",
  vaultNewer: "secrets.json was made by a newer toolcell: update this one",
  vaultUnreadable: (code: string) => `secrets.json cannot be read (${code}): look at its permissions`,
  keyMissing:
    "secrets.key is gone, and without it secrets.json cannot be read: restore it from a backup, or move secrets.json away and set the secrets again",
  keyDamaged: "secrets.key is damaged and was left as it is: restore it from a backup",
  keyUnreadable: (code: string) => `secrets.key cannot be read (${code}): look at its permissions`,
  keyMode:
    "secrets.key can be read by others than its owner, so it is not used: run `chmod 600` on it, and set the secrets anew if others may have read it",
  keyOwner: "secrets.key belongs to another user, so it is not used",
  keyNotFile: "secrets.key is no regular file, so it is not used",
  keyWrong:
    "The key does not fit secrets.json: restore the secrets.json and the key that belong together from a backup, or move both away and set the secrets again",
  keyringGone:
    "The key of secrets.json is in this system's keyring, which does not answer: unlock it, and see that the package @napi-rs/keyring is installed",
  entryDamaged: (name: string) => `The secret "${name}" cannot be decrypted, it was changed on the disk: set it again`,
} as const;

/** Where a tool's credential is looked for, and why it has none. Places are named as their owner knows them. */
export const CREDENTIALS = {
  malformed: (name: string) => `\`${name}\` must be a name of letters, digits, "_", "." and "-", at most 64 characters`,
  envName: "`envVar` must be the name of an environment variable, such as MYAPI_KEY, at most 64 characters",
  denied: (credential: string, envVar: string | null) =>
    `The credential "${credential}" is not granted to this tool: it has to ask for ${envVar === null ? `"${credential}"` : `"${envVar}" or "${credential}"`} in PERMISSIONS.secrets, and its owner to give it with \`toolcell grant\``,
  inConfig: (credential: string, key: string) => `credentials.${credential}.${key} in <home>/config.json`,
  inVault: (name: string) => `${name} in the encrypted vault (<home>/secrets.json)`,
  inShared: (envVar: string) => `${envVar} in <home>/shared/credentials.json`,
  inEnvironment: (envVar: string) => `the environment variable ${envVar}`,
  notGranted: (place: string) => `${place} (not looked at: not granted under that name)`,
  missing: (tool: string, credential: string, key: string, places: readonly string[], remedy: string) =>
    `${tool} has no credential "${credential}" (${key}). Looked for in this order: ${places.join("; ")}. ${remedy}`,
  remedy: (credential: string, key: string, name: string, envVar: string | null) =>
    `Its owner sets it with \`toolcell secret set ${name}\`, or as { "credentials": { "${credential}": { "${key}": "..." } } } in <home>/config.json${
      envVar === null
        ? ", and a tool that names an `envVar` also finds it in <home>/shared/credentials.json and in the environment"
        : `, as { "${envVar}": "..." } in <home>/shared/credentials.json, or in the environment as ${envVar}`
    }`,
  unreadable: (tool: string, credential: string, reason: string) =>
    `${tool} cannot be given the credential "${credential}", and no place after this one was looked at: ${reason}`,
  notJson: (file: string, place: string) => `${file} is no valid JSON${place}: repair it`,
  notObject: (what: string) => `${what} is no JSON object: repair it`,
  notText: (what: string) => `${what} is no text: write the value in quotation marks`,
  notFile: (file: string, bytes: number) => `${file} is no regular file of at most ${bytes} bytes`,
  fileUnreadable: (file: string, code: string) => `${file} cannot be read (${code}): look at its permissions`,
  short: (place: string, chars: number) =>
    `${place} has fewer than ${chars} characters: so short a value turns up in ordinary text by chance, and cannot be hidden`,
  noControl: (place: string) => `${place} is no well-formed text without NUL characters, or is too long`,
} as const;

/** Why a program is not run, or what became of it. */
export const PROCESS = {
  denied: (name: string) =>
    `The program "${name}" is not granted to this capability: it has to ask for it in PERMISSIONS.process, and its owner to give it with \`toolcell grant\``,
  name: 'The program must be a name without a path, such as "git"',
  notFound: (name: string) => `There is no program "${name}" on this machine's PATH`,
  inside: (name: string) => `The program "${name}" is only found where tools can write, and is not run from there`,
  args: "The arguments must be an array of well-formed strings without NUL characters",
  argCount: (count: number) => `A program takes at most ${count} arguments`,
  inputBytes: (bytes: number) =>
    `Arguments, environment and input of a program may have at most ${bytes} bytes together (processInputBytes)`,
  input: "`input` must be a string or a Uint8Array",
  timeout: "`timeoutMs` must be a whole number of milliseconds from 1",
  cwd: "`cwd` must be `/workspace` or a folder in it",
  cwdDenied: "`cwd` needs the permission `workspace`, which the owner has not granted",
  cwdMissing: (cwd: string) => `There is no folder "${cwd}"`,
  env: (names: string) => `\`env\` may set these and nothing else, each to a string: ${names}`,
  count: (count: number) => `A call may run at most ${count} programs (processCount)`,
  timedOut: (name: string, ms: number) => `"${name}" did not end within ${ms} ms and was killed, with every process it had started`,
  ended: (name: string) => `"${name}" was killed because its call ended`,
  notStarted: (name: string, code: string) => `"${name}" could not be started (${code})`,
  closed: "The engine was closed",
} as const;

// ---- What an owner reads: capability folders that are not taken, whole or in part ------------------------------------
export const ADMISSION = {
  // The folder as a whole.
  folderMissing: (folder: string) => `There is no folder "${folder}"; check its path`,
  folderIsFile: (folder: string) => `"${folder}" is a file; a capability is a folder`,
  folderUnreadable: (folder: string, code: string) => `The folder "${folder}" cannot be read (${code}); check its permissions`,
  folderName: (folder: string) =>
    `"${folder}" is not a capability's name; name the folder with 2 to 40 of a-z, 0-9, "_" and "-", a letter first`,
  nameTaken: (folder: string) => `The name "${folder}" belongs to a capability that comes with the engine; rename the folder`,
  noToolFile: (folder: string) =>
    `The folder "${folder}" holds no tool file; add a .ts, .mts, .js or .mjs file that exports NAME, DESCRIPTION and run`,
  twoIndexes: (first: string, second: string) => `The folder has both "${first}" and "${second}"; keep one`,
  indexFault: (file: string, line: number | null, reason: string) => `${line === null ? file : `${file}:${line}`}: ${reason}`,
  toolCount: (limit: number) => `The folder holds more than ${limit} tool files (toolCount); split the capability`,
  inputCount: (limit: number) => `The tools and what they import come to more than ${limit} files (inputCount); import less`,
  inputBytes: (limit: number) => `The tools and what they import come to more than ${limit} bytes (inputBytes); import less`,
  bundleBytes: (limit: number) => `The bundle is larger than ${limit} bytes (bundleBytes); import less`,
  admitMs: (limit: number) =>
    `Reading and bundling this folder took longer than ${limit} ms (admitMs); make its sources smaller or simpler`,
  admitHeapBytes: (limit: number) =>
    `Reading and bundling this folder needed more than ${limit} bytes of memory (admitHeapBytes); make its sources smaller or simpler`,
  readerEnded: "Reading and bundling this folder ended unexpectedly; make its sources smaller or simpler, or try again",
  bundleMemory: (limit: number) =>
    `Bundling needed more than ${limit} bytes of memory (admitHeapBytes); make the sources smaller or simpler`,
  bundlerEnded: "The bundler gave up on this file; it, or something it imports, is nested too deeply or is too large",
  closed: "The engine was closed while this folder was being read; read it again",
  changing: "The folder kept changing while it was being read; read it again once nothing writes to it",

  // One file.
  fileMissing: "The file is not there any more; read the folder again",
  fileUnreadable: (code: string) => `The file cannot be read (${code}); check its permissions`,
  fileLoop: "The file is a symbolic link that leads back to itself; put a regular file in its place",
  fileOutside: "The file is a symbolic link that leads out of the folder; put a copy of the file in its place",
  fileNotRegular: (kind: string) => `This is a ${kind}, not a regular file; put a file in its place, or start its name with "_"`,
  fileChanged: "The file changed while it was being read; read the folder again",
  sourceBytes: (limit: number) => `The file is larger than ${limit} bytes (sourceBytes); move code into helper files`,
  utf16: "The file is UTF-16; save it as UTF-8",
  notText: "The file is not UTF-8 text; save it as UTF-8",
  empty: 'The file is empty; export NAME, DESCRIPTION and run from it, or start its name with "_"',
  syntax: (message: string) => `Syntax error: ${message}`,
  nestedTooDeeply: "The source is nested too deeply to be read; make it flatter",

  // Constants that are read and not run.
  missing: (name: string) => `The file exports no ${name}; add \`export const ${name} = …\``,
  fromElsewhere: (name: string) => `${name} comes from another file; it is read without running anything, so write its value in this file`,
  notConst: (name: string) => `${name} is not declared with \`const\`; write \`export const ${name} = …\``,
  declaredTwice: (name: string) => `${name} is declared twice; keep one`,
  notLiteral: (name: string, found: string) =>
    `${name} holds ${found}; it is read without running anything, so write it as a plain literal`,
  selfReference: (name: string, through: string) => `${name} refers to itself through \`${through}\`; write its value out`,
  unknownConstant: (name: string, used: string) => `${name} uses \`${used}\`, which is no constant of this file; write its value out`,
  literalCount: (name: string, limit: number) => `${name} holds more than ${limit} values (literalCount); make it smaller`,
  literalChars: (name: string, limit: number) => `${name} holds more than ${limit} characters of text; make it smaller`,
  wrongType: (name: string, wanted: string) => `${name} has to be ${wanted}`,
  toolName: (value: string) => `NAME "${value}" is not a tool's name; use 1 to 64 of letters, digits, "_" and "-", a letter or "_" first`,
  toolNameTwice: (value: string, others: string) => `NAME "${value}" is also the NAME of ${others}; give each tool its own`,
  textChars: (name: string, limit: number) => `${name} is longer than ${limit} characters (descriptionChars); shorten it`,
  textEmpty: (name: string) => `${name} is empty; say what it is for`,
  hiddenText: (name: string, codePoint: string) =>
    `${name} holds the invisible character ${codePoint}, which can hide text from a reader; remove it`,
  runMissing: "The file exports no run; add `export async function run(context, args) { … }`",
  runNotFunction: (found: string) => `run holds ${found}; it has to be a function`,
  homepage: (value: string) => `HOMEPAGE "${value}" is not a web address; write it with https://`,
  runtime: 'RUNTIME has to be "isolate" or "worker"; leave it out for "isolate"',
  reserved: (name: string) => `${name} has no effect in a package; it is reserved for capabilities that come with the engine`,
  limitUnknown: (key: string, known: string) => `LIMITS knows no "${key}"; it may hold ${known}`,
  limitValue: (key: string) => `LIMITS.${key} has to be a whole number above 0`,

  // PERMISSIONS.
  permissionUnknown: (at: string, key: string, known: string) => `${at} knows no "${key}"; it may hold ${known}`,
  permissionShape: (at: string, wanted: string) => `${at} has to be ${wanted}`,
  networkAll: (at: string) => `${at} asks for every host with "*"; name the hosts, or ask for "public"`,
  networkEntry: (at: string, value: string) =>
    `${at} "${value}" is no host; write "api.example.com", "*.example.com", either with ":port", or "public"`,

  // INPUT_SCHEMA.
  schemaRoot: 'INPUT_SCHEMA has to be a JSON Schema of type "object"; put the arguments under `properties`',
  schemaBytes: (limit: number) => `INPUT_SCHEMA is larger than ${limit} bytes (schemaBytes); make it smaller`,
  schemaDepth: (limit: number) => `INPUT_SCHEMA is nested deeper than ${limit} levels (schemaDepthCount); make it flatter`,
  schemaProperties: (limit: number) => `INPUT_SCHEMA holds more than ${limit} properties (schemaPropertyCount); make it smaller`,
  schemaEnums: (limit: number) =>
    `INPUT_SCHEMA holds more than ${limit} enum values (schemaEnumCount); use fewer, or describe them in words`,
  schemaRefs: (limit: number) => `INPUT_SCHEMA comes to more than ${limit} uses of $ref once each is followed (schemaRefCount); use fewer`,
  schemaDialect: (value: string) => `INPUT_SCHEMA names the dialect ${value}; use draft-07 or 2020-12, or leave $schema out`,
  schemaKeyword: (at: string, key: string, nearest: string) =>
    `INPUT_SCHEMA${at} has the unknown keyword "${key}"; did you mean "${nearest}"? A note of your own starts with "x-"`,
  schemaOtherDialect: (at: string, key: string, dialect: string) =>
    `INPUT_SCHEMA${at} uses "${key}", which only ${dialect} knows; change $schema or the keyword`,
  schemaForbidden: (at: string, key: string) => `INPUT_SCHEMA${at} uses ${key}, which is not allowed here; remove it`,
  schemaRemoteRef: (at: string, ref: string) =>
    `INPUT_SCHEMA${at} refers to "${ref}"; a $ref may only lead to a place in the same schema, as "#/…"`,
  schemaEndless: "INPUT_SCHEMA has a $ref that leads back to itself without looking further into the value; give it an end",
  schemaName: (id: string) => `INPUT_SCHEMA has the $id "${id}", which is no address; correct it or leave it out`,
  schemaNameTwice: (name: string) => `INPUT_SCHEMA gives two schemas the name "${name}"; rename one`,
  schemaProto: 'INPUT_SCHEMA holds the key "__proto__", which no call can give; rename it',
  schemaValue: (at: string, key: string, value: string, wanted: string) => `INPUT_SCHEMA${at} has ${key} ${value}; it has to be ${wanted}`,
  schemaLostRef: (at: string, ref: string) => `INPUT_SCHEMA${at} refers to "${ref}", which is not in the schema; correct the $ref`,
  schemaFormat: (at: string, format: string, nearest: string) =>
    `INPUT_SCHEMA${at} has the unknown format "${format}"; did you mean "${nearest}"?`,
  schemaPattern: (at: string, pattern: string, why: string) =>
    `INPUT_SCHEMA${at} has a pattern that is no regular expression, "${pattern}": ${why}`,
  schemaShape: (at: string, why: string) => `INPUT_SCHEMA${at} ${why}`,
  schemaInvalid: (why: string) => `INPUT_SCHEMA cannot be used: ${why}`,

  // Imports.
  importNotFound: (specifier: string) => `"${specifier}" is not in the folder; add the file, or correct the import`,
  importPackageMissing: (specifier: string) => `The package "${specifier}" is not in the folder's node_modules; install it there`,
  importPackageHides: (specifier: string) =>
    `The package does not export "${specifier}" to a sealed tool; import something its package.json exports`,
  importPackageBroken: (file: string) => `"${file}" is not valid JSON; install the package again`,
  importOutside: (specifier: string) => `"${specifier}" leads out of the folder; copy what the tool needs into it`,
  importAbsolute: (specifier: string) => `"${specifier}" is an absolute path; import from inside the folder with "./"`,
  importUrl: (specifier: string) => `"${specifier}" is an address; put the file into the folder and import it with "./"`,
  importBuiltin: (specifier: string, asker: string | null, remedy: string) =>
    `${asker === null ? `"${specifier}" is` : `The package "${asker}" needs "${specifier}",`} one of Node's own modules that a sealed tool cannot have: ${remedy}`,
  importEngine: (specifier: string) => `"${specifier}" is not there in a sealed tool; import from "toolcell/tool"`,
  importKind: (specifier: string) =>
    `"${specifier}" is no kind of file that can be bundled; import .ts, .mts, .cts, .js, .mjs, .cjs, .json or .wasm, or any file with { type: "bytes" }`,
  importType: (specifier: string, type: string) =>
    `"${specifier}" cannot be imported with the type "${type}"; there is "json", "bytes" and "text"`,
  importAddon: (specifier: string) =>
    `"${specifier}" is a native addon, machine code that a sealed tool cannot load; use a package in JavaScript or WebAssembly`,
  importWasm: (specifier: string) => `"${specifier}" is WebAssembly; ask for it with PERMISSIONS = { wasm: true }`,
  tsconfigBroken: (file: string) => `"${file}" is not valid JSON; correct it`,
  importUnreadable: (specifier: string, why: string) => `"${specifier}" cannot be bundled. ${why}`,
  topLevelAwait: "Top-level `await` cannot be used in a tool; await inside run",
  throughImport: (at: string, reason: string) => `Imports ${at}, which cannot be bundled: ${reason}`,

  /** For the engine, where a bundle is asked for that the cache has lost and no folder gives back. */
  bundleLost: (hash: string) => `The bundle ${hash} is not in the cache any more; read the capability's folder again`,
  admissionClosed: "The engine is closed; create a new one",
} as const;

/** What a source of another form is, or says of its tools. For owners; the guest's adapters use `ADAPTER`. */
export const ADAPTED = {
  name: (name: string) => `"${name}" is not a module's name; name the file with 2 to 40 of a-z, 0-9, "_" and "-", a letter first`,
  gone: (name: string) => `The file of "${name}" is not there any more`,
  sealed: 'RUNTIME = "worker" is for capability folders; a tool module runs sealed, so leave RUNTIME out',
  toolCount: (limit: number) => `It lists more than ${limit} tools (toolCount); list fewer`,
  noTools: "It lists no tool; return at least one schema from `getToolSchemas`",
  toolName: (value: string) => `"${value}" is not a tool's name; use 1 to 64 of letters, digits, "_" and "-", a letter or "_" first`,
  otherModule: (name: string, module: string) =>
    `"${name}" does not begin with the name of its module; call it "${module}_" and what it does`,
  otherKey: (key: string, name: string) => `It is registered as "${key}" and calls itself "${name}"; give it one name`,
  twice: (name: string) => `"${name}" is listed more than once, and none of these is used; give each tool its own name`,
  profileShape: "EXECUTION_PROFILE has to hold an object for each action",
  profileFlag: (key: string) => `EXECUTION_PROFILE has a \`${key}\` that is neither true nor false`,
  profileSeconds: "EXECUTION_PROFILE has an `expected_seconds` that is no number of seconds",
  profileUnknown: (key: string) =>
    `EXECUTION_PROFILE knows no "${key}"; it may hold expected_seconds, background_eligible, gated and retry_safe`,
  moduleCount: (limit: number) =>
    `Its folder holds more than ${limit} files of modules (moduleCount), and those that come first by name are taken; take some away`,
  moduleCountMore: (count: number, limit: number) =>
    `It holds ${count} more files of modules past the ${limit} that are taken (moduleCount)`,
  twoFiles: (first: string, second: string) => `There are both "${first}" and "${second}" here; keep one`,
  shadowed: (name: string, owner: string) => `It is shadowed by ${owner} "${name}", which comes before it; rename the file to use both`,
  owner: {
    shipped: "the shipped",
    core: "the core module",
    personal: "the personal module",
    shared: "the shared module",
    other: "the capability",
    package: "the package",
  },
  listMs: (limit: number) => `Listing its tools took longer than ${limit} ms (listMs); list them without working first`,
  listMemory: "Listing its tools needed more memory than it may have; list them without working first",
  listCpu: (limit: number) => `Listing its tools computed for more than ${limit} ms (listMs); list them without working first`,
  listBytes: (limit: number) => `The list of its tools is larger than ${limit} bytes (listBytes); say less`,
  listFailed: (message: string) => `Its tools could not be listed: ${message}`,
  listForm: "Its tools could not be listed: what came back is no list of tools",
  listPower: "Nothing of the host can be used while tools are listed: use it when a tool is called",
  listing: "Its tools are still being listed, and are there once that is done: other modules took their time first (listWaitMs)",
} as const;

/** Why a package among the dependencies of a project is not taken, or a tool of it. */
export const PLUGINS = {
  packageName: (name: string) => `"${name}" is not a package's name; correct it in the project's package.json`,
  dependencyCount: (limit: number) => `There are more than ${limit} dependencies (dependencyCount), and those past them are not looked at`,
  notInstalled: "It is among the project's dependencies and is not installed; run `npm install`",
  notFile: "Its package.json is no file",
  tooLarge: (limit: number) => `Its package.json is larger than ${limit} bytes (sourceBytes)`,
  notJson: "Its package.json is not JSON in UTF-8",
  notObject: "Its package.json holds no object",
  ownShape: "The `toolcell` of its package.json has to be an object that names `tools`",
  ownUnknown: (key: string, known: string) => `The \`toolcell\` of its package.json knows no "${key}"; it may hold ${known}`,
  sealed: "The `toolcell` of its package.json asks for a `runtime`; a package runs sealed, so leave it out",
  toolsShape: 'The `toolcell.tools` of its package.json has to be an object, such as { "my_tool": "./tools.js#my_tool" }',
  noTools: "The `toolcell.tools` of its package.json names no tool",
  toolCount: (limit: number) => `It names more than ${limit} tools (toolCount); name fewer`,
  noTool: (reason: string) => `None of its tools can be taken: ${reason}`,
  toolName: (key: string) => `"${key}" is not a tool's name; use 1 to 64 of letters, digits, "_" and "-", a letter or "_" first`,
  entryShape: (key: string) => `"${key}" is not given as text; name its file and its export, such as "./tools.js#${key}"`,
  entryPlace: (value: string) =>
    `"${value}" names no file of the package; begin with "./", stay in the package's folder, and put "#" and the export's name after the file`,
  entryKind: (value: string) => `"${value}" is no source file; name one that ends in .js, .mjs, .cjs, .ts, .mts or .cts`,
  collision: (tool: string, sources: readonly string[]) =>
    `A tool "${tool}" is registered by ${sources.map((source) => `"${source}"`).join(" and by ")}, so the engine does not start: remove one of them, switch one off with \`toolcell disable\`, or rename the tool`,
  shippedBroken: (name: string, reason: string) => `The shipped capability "${name}" is broken, so the engine does not start: ${reason}`,
} as const;

/** What a guest's adapter says of the tools that it finds. */
export const ADAPTER = {
  noSchemas: "the file exports no function `getToolSchemas`",
  notList: (found: string) => `\`getToolSchemas\` gave ${found} and no array`,
  tooMany: (limit: number) => `\`getToolSchemas\` gives more than ${limit} schemas (toolCount)`,
  notObject: (position: number) => `Schema ${position} is no object`,
  noName: (position: number) => `Schema ${position} has no \`name\`; give it one`,
  noDescription: "It has no `description`; say what the tool is for",
  noSchema: "It has neither `input_schema` nor `parameters`; say which arguments it takes",
  notJson: (reason: string) => `Its schema is no JSON: ${reason}`,
  tooLarge: (limit: number) => `Its schema is larger than ${limit} bytes (schemaBytes); make it smaller`,
  noHandler: (name: string) => `There is neither a \`dispatch\` nor a function \`${name}\` to run it`,
  unreadable: (reason: string) => `It cannot be read: ${reason}`,
  profileOfNothing: (action: string) => `EXECUTION_PROFILE names "${action}", and no schema is called so`,
  profileShape: "EXECUTION_PROFILE has to be an object with an object for each action",
  noOutput: "(no output)",
  exitCode: (code: number) => `It ended with exit code ${code}`,
  noExport: (name: string, names: readonly string[]) => `The file exports no "${name}"; ${exportsText(names)}`,
  noDefault: (names: readonly string[]) => `The file has no default export; put "#" and the export's name after it: ${exportsText(names)}`,
  notTool: (name: string, found: string) =>
    `"${name}" is not a tool but ${found}; export what \`tool()\` of "@langchain/core/tools" or of "ai" gives, or an object with NAME, DESCRIPTION and run`,
  isFunction: (name: string) => `"${name}" is not a tool but a function; wrap it with \`tool()\`, and of a class export an instance`,
  isPromise: (name: string) => `"${name}" is not a tool but a promise; export the tool itself`,
  noOwnName: (name: string, key: string) => `"${name}" is not a tool: its \`${key}\` is no string`,
  noExecute: (name: string) => `"${name}" is a tool without \`execute\`: it is run elsewhere, and cannot be run here`,
  noJsonSchema: (vendor: string) =>
    `Its schema is one of "${vendor}" that has no JSON Schema; take a version of it that has, or write JSON Schema`,
  unfit: (details: string) => `The arguments do not fit the tool's own schema${details === "" ? "" : `:\n${details}`}`,
  issue: (at: string, message: string) => (at === "" ? message : `${at}: ${message}`),
  denied: "The tool was not allowed to run",
} as const;

function exportsText(names: readonly string[]): string {
  return names.length === 0 ? "it exports nothing" : `it exports ${names.map((name) => `"${name}"`).join(", ")}`;
}

/** Why something is not listed among the tools, where only the whole shows it. */
export const LISTING = {
  shipped: "a shipped capability",
  nameTaken: (name: string, owner: string) => `The name "${name}" is taken by ${owner}: rename this folder`,
  collision: (tool: string, owners: readonly string[]) =>
    `A tool "${tool}" is offered by ${owners.map((owner) => `"${owner}"`).join(" and ")}, and neither is used: rename one of them`,
  shippedTool: (tool: string) => `"${tool}" is the name of a shipped tool: rename this one`,
  worker: (name: string) =>
    `It asks for \`RUNTIME = "worker"\`, all of the machine, and this code of it is not trusted: read it, then \`toolcell trust ${name}\``,
  kept: (reason: string) => `What it is now is not taken, and what it was goes on serving: ${reason}`,
  brokenTool: (file: string, line: number | null, reason: string) => `${line === null ? file : `${file}:${line}`}: ${reason}`,
  clash: (tool: string, owner: string) => `The tool "${tool}" is one of "${owner}": give it another name`,
  notFolder: "It is a file: a capability is a folder",
  missing: "There is no such folder",
  unreadable: (code: string | undefined) => `It cannot be read (${code ?? "unknown error"}): check its permissions and its links`,
} as const;

/** Why changes of a folder are seen late, or not yet. */
export const WATCHING = {
  missing: "There is no such folder: its capabilities are read once it is made",
  gone: "This folder is gone, and its capabilities with it: they are read again once it is back",
  notFolder: "It is a file: make it a folder, and its capabilities are read",
  unreadable: (code: string) => `It cannot be read (${code}): check its permissions. It is tried again every second`,
  tooMany: (count: number) =>
    `${count} folders are watched already, so this one is looked at once a second instead: raise the limit \`watchCount\``,
  noWatches:
    "The system has no watches left (ENOSPC), so this folder is looked at once a second instead: raise fs.inotify.max_user_watches, or watch less with other programs",
  noHandles: (code: string) =>
    `Too many files are open (${code}), so this folder is looked at once a second instead: raise the limit of open files, or fs.inotify.max_user_instances`,
  failed: (code: string) => `It cannot be watched (${code}), so it is looked at once a second instead`,
} as const;

/** Grants: who may do what. */
export const GRANTS = {
  damaged: (file: string, reason: string) =>
    `The file ${file} in the engine's home cannot be read (${reason}), so nothing that it may say holds: repair it, or move it away`,
  badForm: "it is not in its form",
  busy: (file: string) => `Another process is writing ${file}: try again`,
  notAsked: (name: string) => `"${name}" does not ask for all of that: only what it asks for can be granted`,
  unknownCapability: (name: string) => `There is no capability "${name}"`,
} as const;

/** An agent's permissions.json. */
export const AGENT = {
  damaged: (reason: string) =>
    `permissions.json of the agent cannot be used (${reason}), so no tool module, no package and no gated tool is: repair it`,
  noFolder: "The agent's folder is a file, so no tool module, no package and no gated tool is used: correct `agentDir`",
  noObject: (where: string) => `${where} is no object`,
  version: (version: number) => `\`version\` has to be ${version}`,
  unknownKey: (where: string, key: string, known: readonly string[]) => `${where} knows no "${key}": it may hold ${known.join(", ")}`,
  notFlag: (name: string) => `\`${name}\` has to be true or false`,
  notNames: (name: string) => `\`${name}\` has to be an array of names`,
  noName: (list: string, word: string) => `\`${list}\` has ${JSON.stringify(word)}, which is no name: name each module, package or tool`,
  noCreation: (tier: string) =>
    `permissions.json of the agent does not allow it to make ${tier} tools: its owner sets \`tool_creation.${tier}\` to true`,
  denied: (name: string) => `permissions.json of the agent denies "${name}" (\`external_tools.deny\`)`,
  notAllowed: (name: string) =>
    `permissions.json of the agent does not allow "${name}": its owner adds it to \`external_tools.allow\`, or sets \`allow_all\` to true`,
  gated: (tool: string) =>
    `"${tool}" is gated, so the agent's permissions.json has to name it: its owner adds it to \`external_tools.allow\``,
} as const;

/** Why a tool is not written or shared, and what is said where it is. */
export const CREATION = {
  name: (name: string) =>
    `"${name}" is no name for a tool: 2 to 40 lower-case letters, digits and "_", a letter first, without an ending, such as "my_tool"`,
  device: (name: string) => `"${name}" is the name of a device on some machines, where no file can be called so: take another name`,
  noAgent: "There is no agent whose tools these could be: give its folder as `--agent DIR`, or as the option `agentDir`",
  code: "`code` must be the text of a TypeScript module",
  large: (bytes: number) => `The code is larger than ${bytes} bytes (sourceBytes)`,
  exists: (name: string) => `The agent has a tool "${name}" already: say \`overwrite\` to replace it, or take another name`,
  full: (tier: string, count: number) =>
    `There are ${count} ${tier} tools already (moduleCount): replace one of them, or let their owner take some away`,
  sharedExists: (name: string) =>
    `There is a shared tool "${name}" already, and sharing replaces none: take another name, or let its owner remove that one`,
  missing: (name: string) => `The agent has no tool "${name}" of its own: write it first, and share it then`,
  taken: (name: string) => `"${name}" is the name of something else that is installed, which comes first: take another name`,
  noFile: (bytes: number) => `The tool is no regular file of at most ${bytes} bytes, so it is not shared`,
  linkedFolder: "The folder of tools is a link or no folder, so nothing is written there: its owner puts a real folder in its place",
  unreadable: (code: string) => `The folder of tools cannot be read (${code}): its owner looks at its permissions`,
  unwritable: (code: string) => `The folder of tools cannot be written to (${code}): its owner looks at its permissions`,
  atLine: (line: number, reason: string) => `line ${line}: ${reason}`,
  clash: (tool: string, owner: string) => `"${owner}" has a tool "${tool}" already: call it something else`,
  refused: (name: string, faults: readonly string[]) =>
    `"${name}" was not saved, since it would not be taken as it is: ${faults.join("; ")}`,
  denied: "Only the engine's own tools write and share tools",
  malformed: (name: string) => `\`${name}\` of the request is missing or of another type`,
} as const;

/** Background jobs: why one is not taken, and what became of one whose end nobody saw. */
export const JOBS = {
  notBackground: (tool: string) =>
    `"${tool}" does not run in the background: call it, or let its author say \`background_eligible: true\` in its EXECUTION_PROFILE`,
  otherOwner: (tool: string) =>
    `"${tool}" is another tool here than the one that it was submitted for: work on it with the agent whose tool that is, or submit it anew`,
  key: (chars: number) => `Option \`key\` must be a string of 1 to ${chars} characters`,
  keyTaken: (key: string) => `The key "${key}" belongs to a job of another tool or of other arguments: take another key`,
  full: (count: number) => `${count} jobs wait already (jobQueueCount): let a worker do them, or cancel some`,
  bytesFull: (bytes: number) => `All jobs together may take ${bytes} bytes (jobBytes): let a worker do those that wait, or cancel some`,
  unknown: (id: string) => `There is no job "${id}", or it ended so long ago that it is not kept any more`,
  unknownState: (state: string, known: readonly string[]) => `There is no state "${state}" of jobs. There is ${known.join(", ")}`,
  notObject: (name: string) => `The options of \`${name}\` must be an object`,
  unknownOption: (of: string, name: string, known: readonly string[]) =>
    `\`${of}\` has no option \`${name}\`. It has ${known.map((option) => `\`${option}\``).join(", ")}`,
  damaged:
    "The file jobs.db in the engine's home is damaged and nothing in it was touched: restore it from a backup, or move it away to start empty",
  newer: "The file jobs.db in the engine's home was made by a newer toolcell: update this one",
  unwritable: "The file jobs.db in the engine's home cannot be opened or written: look at its permissions and its disk",
  diskFull: "The disk of the engine's home is full, so that no job can be written",
  busy: "Another process holds the file jobs.db: try again",
  lost: "The process that ran it ended before it did, and nobody knows how far it came. It is not run again, since the tool does not say that this is safe",
  lostAgain: (times: number) => `The process that was to run it ended before it did, ${times} times: it is not tried again`,
  cancelled: "It was cancelled before it had begun",
  lostCancelled: "It was cancelled, and the process that ran it has ended",
  stopped: "Its worker was told to stop while it ran. It is not run again, since the tool does not say that this is safe",
  outcomeBytes: (bytes: number, limit: number) =>
    `Its outcome takes ${bytes} bytes, more than the ${limit} that are kept of a job (jobOutcomeBytes): return less, or write it to a file`,
  outcomeUnwritable: "Its outcome could not be written down. The owner's log says more",
  threw: "The engine could not run it. The owner's log says more",
  leaseLost: "This job is not this worker's any more",
  workerTrouble: (message: string) => `Jobs are not worked on: ${message}`,
} as const;

/** What is on and what is off, and who is trusted. */
export const SWITCHES = {
  required: (name: string) => `"${name}" is part of the engine and cannot be switched off`,
  notWorker: (name: string) => `"${name}" does not ask for \`RUNTIME = "worker"\`, so there is nothing to trust it with: it runs sealed`,
} as const;

/** The protocol of models that have nothing but their prompt: what they are told, and what is put into it. */
export const PROTOCOL = {
  how: `You have these tools. To call one, write exactly this form on a line of its own, and nothing after it:

ACTION: tool_name(argument="value", other=3)

Values are literals: strings in quotes (a backslash escapes), numbers, true, false, null, [lists] and {"key": value}. An argument
marked with ? may be left out. Write one ACTION in a reply: what the tool answers is the next message. Write none in your final answer.

Available tools:`,
  from: (source: string) => `[from ${source}]`,
  moreArguments: (count: number) => `… ${count} more`,
  notCalled: "The engine could not take the call",
} as const;

/** Why a call that a model has written out is not read. */
export const ACTION = {
  refused: (reason: string, at: string | null) =>
    `The ACTION was not run: ${reason}${at === null ? "" : `, at \`${at}\``}. Write it whole again, as ACTION: tool_name(argument="value", other=3)`,
  noCall: "after ACTION: stands the name of a tool with its arguments in parentheses",
  toolName: "the name of a tool has at most 64 characters",
  positional: "every argument is written with its name, as name=value",
  nested: (word: string) => `\`${nameOf(word)}(\` is a call, and a value is a literal: call one tool after the other`,
  word: (word: string) => `\`${nameOf(word)}\` is no value: put a text into quotes`,
  value: "a value is missing",
  tuple: "a list is written in [ and ]",
  twice: (name: string) => `"${nameOf(name)}" is given twice`,
  objectKey: "the keys of an object are strings in quotes",
  colon: (key: string) => `a colon is missing after the key "${nameOf(key)}"`,
  separator: (end: string) => `a comma or \`${end}\` is missing`,
  trailing: "nothing may follow the call on its line",
  several: "there is more than one: write one in a reply, and wait for its answer",
  unfinished: "it ends before its closing parenthesis",
  quote: "a string has no closing quote",
  lineBreak: "a string ends on its line: write \\n for a line break, or put it into three quotes",
  escape: (character: string) =>
    `\`\\${character}\` is no escape here: write \`\\\\${character}\` for a backslash, \\u and four digits for a character`,
  code: (digits: number) => `the escape takes ${digits} hexadecimal digits of a character that there is`,
  prefix: (prefix: string) => `a string with \`${nameOf(prefix)}\` before it is no plain string`,
  number: "it is no number: write digits, with a point or an exponent where needed",
  leadingZero: "a number does not begin with 0: put an identifier into quotes",
  integerRange: "the number has more digits than can be kept: put it into quotes",
  numberRange: "the number is too large or too small",
  depth: (limit: number) => `it is nested deeper than ${limit} levels (depthCount)`,
  tooLong: (limit: number) => `it is longer than ${limit} characters (argumentBytes)`,
} as const;

/** What a model wrote, short enough for a sentence about it. */
function nameOf(written: string): string {
  return written.length <= 40 ? written : `${written.slice(0, 39).toWellFormed()}…`;
}

// ---- What an embedder reads: wrong use of the engine -----------------------------------------------------------------

/** Wrong use of the engine: thrown as TypeError or RangeError. */
export const USE = {
  notPlugins: "`plugins` has to be true, false, or the folder of a project",
  unknownOption: (name: string, known: readonly string[]) =>
    `createEngine has no option \`${name}\`. It has ${known.map((option) => `\`${option}\``).join(", ")}`,
  notString: (name: string) => `Option \`${name}\` must be a non-empty string`,
  notStrings: (name: string) => `Option \`${name}\` must be an array of strings`,
  notObject: (name: string) => `Option \`${name}\` must be an object`,
  notBoolean: (name: string) => `Option \`${name}\` must be true or false`,
  unknownEvent: (name: string, known: readonly string[]) => `There is no event "${name}". There is ${known.join(", ")}`,
  notFunction: (name: string) => `Option \`${name}\` must be a function`,
  unknownLimit: (name: string) => `There is no limit \`${name}\`. docs/limits.md lists them`,
  limitRange: (name: string, value: unknown, min: number, max: number) =>
    `Limit \`${name}\` must be a whole number from ${min} to ${max}, not ${String(value)}`,
  numberOption: (name: string, value: unknown, min: number, max: number) =>
    `Option \`${name}\` must be from ${min} to ${max}, not ${String(value)}`,
  notPolicy: "Option `policy` must be an object of `grant`, a function, `require`, an array of walls, and `hardened`, true or false",
  notShared: (folder: string) =>
    `Option \`shareProcess\` names "${folder}", which is none of \`capabilities\`: add it there, or take it out`,
  installedShared: "Option `shareProcess` names the folder of what was installed, which comes from many: those have a process each",
  notSignal: "Option `signal` must be an AbortSignal",
  closed: "This engine is closed",
  unknownKind: (kind: string, known: readonly string[]) => `There is no kind of tool definitions "${kind}". There is ${known.join(", ")}`,
  notText: "parseAction takes a model's reply as a string",
} as const;

/** Why no cell can be started on this machine. */
export const ADDON = {
  missing:
    "The package isolated-vm is not installed, so no tool can be sealed: run `npm install` again, with optional and native packages allowed",
  tooOld: (version: string, oldest: string) => `isolated-vm ${version} is not safe to run a stranger's code in: install ${oldest} or later`,
  noBinary: (platform: string, arch: string, node: string) =>
    `isolated-vm has no binary for ${platform} ${arch} under Node ${node}: use Node 24 or 26, or run \`npm rebuild isolated-vm\` with a C++ compiler installed`,
} as const;

// ---- What a person at the command line reads ---------------------------------------------------------------------------

const WANTED: Readonly<Record<string, string>> = {
  string: "text",
  integer: "an integer",
  number: "a number",
  boolean: "true or false",
  null: "null",
  object: "a JSON object",
  array: "a JSON array",
};

// What a user wrote may be a whole file.
function shortened(word: string): string {
  return word.length <= 60 ? word : `${word.slice(0, 60)}…`;
}

export const CLI = {
  seeHelp: "`toolcell --help` says what there is.",
  unknownCommand: (command: string) => `There is no command "${command}"`,
  unknownFlag: (flag: string) => `There is no flag "${flag}"`,
  missingWord: (what: string) => `The command needs ${what}`,
  extraWord: (word: string) => `The command does not take "${word}"`,
  strayValue: (flag: string) => `Flag "${flag}" takes no value`,
  missingValue: (flag: string) => `Flag "${flag}" needs a value`,
  unknownForm: (form: string, known: readonly string[]) => `Flag "--as" takes ${known.join(", ")}, not "${form}"`,
  badDuration: (text: string) => `"${text}" is no time: write 500ms, 30s or 2m`,
  badPort: (text: string) => `"${text}" is no port: write --inspect, or --inspect=9229`,
  notInspected: "Only a trusted capability of the worker runtime can be inspected: a sealed one has no way in for a debugger",
  inspecting: (url: string) => `Waiting for a debugger at ${url}`,
  strayWord: (word: string) => `"${word}" is no argument: write name=value, --name value, or one JSON object`,
  shortFlag: (word: string) => `There is no flag "${word}": flags are written --name, and a value that begins with "-" stands after "--"`,
  dashedValue: (flag: string, next: string) => `Flag "${flag}" needs a value: one that begins with "--" is written ${flag}=${next}`,
  unknownArgument: (name: string, known: readonly string[]) =>
    known.length === 0
      ? `There is no argument "${name}": the tool takes none`
      : `There is no argument "${name}"; there is ${known.join(", ")}`,
  ambiguousName: (name: string, properties: readonly string[]) =>
    `"${name}" stands for more than one argument: write ${properties.map((property) => `"${property}"`).join(" or ")} as it is`,
  wrongType: (label: string, wanted: readonly string[], word: string) =>
    `"${label}" must be ${wanted.map((type) => WANTED[type] ?? type).join(" or ")}, and "${shortened(word)}" is not`,
  inexact: (label: string, word: string) => `"${label}" cannot be ${shortened(word)}: no number here keeps it exactly`,
  notListed: (label: string, values: readonly string[], word: string) =>
    `"${label}" must be one of ${values.join(", ")}, and "${shortened(word)}" is not`,
  wantsObject: (label: string) => `"${label}" takes a JSON object, or one of its values as ${label}.name value`,
  badJsonOf: (label: string, reason: string) => `"${label}" takes JSON, and this JSON cannot be read: ${reason}`,
  takesNoArguments: "It takes no arguments.",
  argumentForms:
    "Each may also be written name=value, or all of them as one JSON object (- for stdin's). @file stands for a file's text, - for stdin's.\n" +
    "After -- no word is a flag of toolcell's: the first one there is the argument without a name.",
  onlyInJson: "only in JSON",
  ownCommandLine: "its own command line; what stands after -- reaches it as it is",
  toolName: "the tool's name",
  madeTool: (name: string, tier: string, tools: readonly string[], replaced: boolean) =>
    `${tier === "shared" ? "Shared" : replaced ? "Replaced" : "Wrote"} "${name}": ${tools.join(", ")}`,
  shells: (shells: readonly string[]) => `the shell: ${shells.join(", ")}`,
  unknownShell: (shell: string, shells: readonly string[]) =>
    `There is no completion for "${shell}"; there is one for ${shells.join(", ")}`,
  stdinTwice: "Stdin can be read once: give one of the values in another way",
  unknownAction: (module: string, action: string | null, actions: readonly string[]) =>
    `"${module}" ${action === null ? "needs an action" : `has no action "${action}"`}; there is ${actions.join(", ")}`,
  notObject: "The arguments must be a JSON object",
  badJson: (reason: string) => `The JSON cannot be read: ${reason}`,
  unreadableFile: (file: string, code: string) => `The file "${file}" cannot be read (${code})`,
  skippedHeading: "Not taken:",
  refusedLabel: "refused",
  keptLabel: "not taken as it is now, what it was goes on serving",
  theCapability: "the capability",
  enabled: (name: string) => `"${name}" is on.`,
  disabled: (name: string) => `"${name}" is off.`,
  trusted: (name: string) => `"${name}" has all of Node from now on, for the code that it has now.`,
  untrusted: (name: string) => `"${name}" is not trusted any more.`,
  refreshed: (capabilities: number, tools: number) => `${capabilities} capabilities, ${tools} tools.`,
  watching: (tools: number) => `Watching; ${tools} tools. An interrupt ends it.`,
  toolsLabel: "tools",
  tokens: (count: number) => `about ${count} tokens`,
  permissionsLabel: "asks for",
  brokenLabel: "broken",
  ignoredLabel: "ignored",
  checkFine: (name: string) => `"${name}" is fine.`,
  checkFailed: (name: string) => `"${name}" is not taken as it is.`,
  noCapability: (name: string, refused: string | null) =>
    refused === null ? `There is no capability "${name}"` : `"${name}" is not taken: ${refused}`,
  asksNothing: (name: string) => `"${name}" asks for nothing.`,
  needsYes: "Nobody can be asked here: add --yes to grant all that is asked",
  secretItem: (name: string, hosts: string, isValue: boolean) =>
    `${name}${hosts === "" ? "" : `, sent to ${hosts}`}${isValue ? ", its value itself in the hands of the code" : ""}`,
  grantQuestion: "Grant this? [y/N]",
  granted: (name: string, labels: readonly string[]) =>
    labels.length === 0 ? `"${name}" is granted nothing.` : `"${name}" is granted ${labels.join("; ")}.`,
  revoked: (name: string) => `"${name}" is granted nothing any more.`,
  toolsChanged: (tools: readonly string[]) =>
    `Changed since you last looked: ${tools.join(", ")}. Read what they say of themselves with \`toolcell tools\`.`,
  grantedLabel: "granted",
  waitingLabel: "waiting for you",
  waitingAsks: "it asks for more than it has",
  waitingTools: (tools: readonly string[]) => `these tools say something else of themselves: ${tools.join(", ")}`,
  badName: (name: string) => `"${name}" is no name of a capability: 2 to 40 of a-z, 0-9, _ and -, a letter first`,
  cannotMake: (path: string, code: string) => `"${path}" cannot be made here (${code}): choose a folder that you may write to`,
  exists: (path: string) => `"${path}" exists already`,
  secretActions: "set, list or remove",
  unknownSecretAction: (word: string) => `"secret ${word}" is no command: write set, list or remove`,
  secretName: "the secret's name, such as WEATHER_KEY",
  secretArgument:
    "A secret's value is never an argument, where the shell's history and other processes see it: pipe it in, or run `toolcell secret set NAME` alone to be asked for it",
  secretPrompt: (name: string) => `Value of ${name} (it is not shown): `,
  secretNotText: "The value is no UTF-8 text.",
  secretSet: (name: string) => `The secret "${name}" is set.`,
  secretRemoved: (name: string) => `The secret "${name}" is removed.`,
  noSecret: (name: string) => `There is no secret "${name}".`,
  secretUnused: "(no capability asks for it)",
  secretNotGranted: (capability: string) => `${capability} (not granted)`,
  made: (path: string, tool: string) =>
    `Made ${path}. Try it: toolcell call --capabilities ${path}/.. ${tool} name=Ada, and toolcell test ${path}`,
  noFolder: (path: string) => `There is no folder "${path}"`,
  noTests: (path: string) => `"${path}" has no tests: write one into a file that ends in .test.ts, beside the tools or in test/`,
  declaresNoTest: 'It declares no test; write `test("what it does", async () => { … })`',
  testPassed: "ok",
  testFailed: "not ok",
  tested: (passed: number, failed: number) => `${passed} passed, ${failed} failed.`,
  testsStopped: "Stopped.",
  theJob: "the job's id",
  submitted: (id: string) => `Queued for \`toolcell work\`; \`toolcell jobs ${id}\` says how far it is.`,
  submittedBefore: (id: string, state: string) => `The same was submitted before: it is job ${id}, ${state}.`,
  noJobs: "There are no jobs.",
  jobProgress: (percent: number | null, detail: string) => `${percent === null ? "…" : `${percent} %`} ${detail}`.trim(),
  cancelled: (id: string, state: string) =>
    state === "running" ? `Job ${id} runs, and its worker is told to give it up.` : `Job ${id} is ${state}.`,
  endedBefore: (id: string, state: string) => `Job ${id} had ended already: it is ${state}.`,
  working: (count: number) =>
    `Working${count === 0 ? "" : `; jobs wait for ${count} ${count === 1 ? "workspace" : "workspaces"}`}. An interrupt ends it.`,
  workEnding: "Ending once what runs has ended. Another interrupt gives it up.",
  cannotWrite: (path: string, code: string) => `"${path}" cannot be written (${code})`,
} as const;

/** What a run of the bench says. */
export const BENCH = {
  floor: "bare floor",
  fresh: "a fresh isolate for each call",
  floorEnded: (said: string) => `The bare floor's process has ended${said === "" ? "" : `: ${said}`}`,
  theTool: "the tool to measure",
  aboutTool: (tool: string) => `warm calls of "${tool}", one at a time; the other two carry the same arguments and run nothing`,
  begins: (tool: string, rounds: number) => `Calling "${tool}" again and again, in ${rounds} rounds: it takes some seconds.`,
  stopped: "Stopped.",
  machine: (cpu: string, cores: number, memory: string, system: string) => `${cpu}, ${cores} cores, ${memory} GiB, ${system}`,
  method:
    "All contenders take turns within one process run, in each round in another order. A ratio is taken round by round: its median, and in brackets its middle half. Times are this machine's at this hour; nothing is left out of them. CPU is host and cell together, for one call, as the system tells it.",
  roundsAndLoad: (rounds: number, before: string, after: string) =>
    `${rounds} rounds; ${before} processes wanted a core in the minute before, ${after} in the last`,
  cpu: "CPU",
  rate: "calls/s",
  callsARound: "calls a round",
  figures: { p50: "p50", p95: "p95", p99: "p99", cpu: "CPU", rate: "calls a second" },
  spread: (low: string, high: string) => `(${low} to ${high})`,
  leftOut: (name: string, reason: string) => `Left out: ${name}: ${reason}`,
  compared: "Ratios against those of the saved run; times are never compared",
  otherMachine: "The saved run is of another machine: its ratios may differ for that alone.",
  saved: "saved",
  now: "now",
  change: "change",
  beyondSpread: "beyond the spread",
  onlySaved: (name: string) => `Only in the saved run: ${name}`,
  onlyNow: (name: string) => `Only in this run: ${name}`,
  noRun: (file: string) => `The file "${file}" holds no run of the bench: save one with --out`,
} as const;
