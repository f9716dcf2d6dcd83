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
  aborted: "The call was cancelled",
  noRun: (file: string) => `${file} exports no function \`run\``,
  noTool: (name: string) => `The bundle has no tool "${name}"`,
  linesDropped: (count: number) => `${count} more lines of this call were not kept`,
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
  format: (format: string) => `must be a valid ${format}`,
  pattern: (pattern: string) => `must match ${pattern}`,
  bound: (comparison: string, limit: string) => `must be ${comparison} ${limit}`,
  multipleOf: (step: string) => `must be a multiple of ${step}`,
  minLength: (count: number) => `must have at least ${count} characters`,
  maxLength: (count: number) => `must have at most ${count} characters`,
  minItems: (count: number) => `must have at least ${count} items`,
  maxItems: (count: number) => `must have at most ${count} items`,
  unique: (first: number, second: number) => `must not hold an item twice: items ${first + 1} and ${second + 1} are the same`,
  anyOf: "fits none of the forms allowed",
  oneOfForms: "must fit exactly one of the forms allowed",
  not: "is a value that is not allowed",
  other: (message: string) => message,
  more: (count: number) => `${count} more faults are not listed`,
} as const;

/** What became of a cell, as a model reads it. */
export const DEATH = {
  memory: "It needed more memory than it may have. Ask for less at a time",
  neighbour: "Its cell was ended because another call of the same capability could not be stopped. Call again",
  protocol: "Its cell broke the bridge's rules and was ended",
  closed: "The engine was closed",
  start: "Its cell did not start in time",
  crash: (how: string) => `Its cell's process ended by itself (${how}). Call again; if it stays so, the capability needs repair`,
  cpu: (ms: number) => `It computed for more than ${ms} ms without a pause, which is its limit. Ask for less at a time`,
  deadline: "It did not end before its deadline. Ask for less, or allow more time",
  cancelled: "The caller gave it up",
  loadMemory: "Loading it needed more memory than it may have",
  loadCpu: (ms: number) => `Loading it computed for more than ${ms} ms, which is its limit`,
} as const;

/** Why a cell did not get ready. */
export const START = {
  closed: "The engine was closed",
  bundleLost: "what was read of it is lost, and its source is not what it was. The engine has to read it again (`refresh`)",
  keeperTimeout: (ms: number) => `The cell's process was not ready after ${ms} ms`,
  keeperDied: "The cell's process ended before it was ready. The owner's log says more; `toolcell doctor` tries it out",
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
  cellEnded: (capability: string, how: string) => `The cell of "${capability}" ended: ${how}`,
} as const;

/** A message as a sentence: with its final period. */
function sentence(message: string): string {
  return /[.!?…:]$/u.test(message) ? message : `${message}.`;
}

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
  importNode: (specifier: string) =>
    `"${specifier}" is one of Node's own modules, and those are not there yet in a sealed tool; use what run's context offers`,
  importEngine: (specifier: string) => `"${specifier}" is not there in a sealed tool; import from "toolcell/tool"`,
  importKind: (specifier: string) =>
    `"${specifier}" is no kind of file that can be bundled; import .ts, .mts, .cts, .js, .mjs, .cjs or .json`,
  importUnreadable: (specifier: string, why: string) => `"${specifier}" cannot be bundled. ${why}`,
  topLevelAwait: "Top-level `await` cannot be used in a tool; await inside run",
  throughImport: (at: string, reason: string) => `Imports ${at}, which cannot be bundled: ${reason}`,

  /** For the engine, where a bundle is asked for that the cache has lost and no folder gives back. */
  bundleLost: (hash: string) => `The bundle ${hash} is not in the cache any more; read the capability's folder again`,
  admissionClosed: "The engine is closed; create a new one",
} as const;

/** Why something is not listed among the tools, where only the whole shows it. */
export const LISTING = {
  shipped: "a shipped capability",
  nameTaken: (name: string, owner: string) => `The name "${name}" is taken by ${owner}: rename this folder`,
  collision: (tool: string, owners: readonly string[]) =>
    `A tool "${tool}" is offered by ${owners.map((owner) => `"${owner}"`).join(" and ")}, and neither is used: rename one of them`,
  shippedTool: (tool: string) => `"${tool}" is the name of a shipped tool: rename this one`,
  worker: 'It asks for `RUNTIME = "worker"`, which needs the owner\'s trust, and a trusted runtime is not there yet: drop it to run sealed',
  notFolder: "It is a file: a capability is a folder",
  missing: "There is no such folder",
  unreadable: (code: string | undefined) => `It cannot be read (${code ?? "unknown error"}): check its permissions and its links`,
} as const;

// ---- What an embedder reads: wrong use of the engine -----------------------------------------------------------------

/** Wrong use of the engine: thrown as TypeError or RangeError. */
export const USE = {
  unknownOption: (name: string, known: readonly string[]) =>
    `createEngine has no option \`${name}\`. It has ${known.map((option) => `\`${option}\``).join(", ")}`,
  notString: (name: string) => `Option \`${name}\` must be a non-empty string`,
  notStrings: (name: string) => `Option \`${name}\` must be an array of strings`,
  notObject: (name: string) => `Option \`${name}\` must be an object`,
  notFunction: (name: string) => `Option \`${name}\` must be a function`,
  unknownLimit: (name: string) => `There is no limit \`${name}\`. docs/limits.md lists them`,
  limitRange: (name: string, value: unknown, min: number, max: number) =>
    `Limit \`${name}\` must be a whole number from ${min} to ${max}, not ${String(value)}`,
  numberOption: (name: string, value: unknown, min: number, max: number) =>
    `Option \`${name}\` must be from ${min} to ${max}, not ${String(value)}`,
  notSignal: "Option `signal` must be an AbortSignal",
  closed: "This engine is closed",
} as const;

/** Why no cell can be started on this machine. */
export const ADDON = {
  missing:
    "The package isolated-vm is not installed, so no tool can be sealed: run `npm install` again, with optional and native packages allowed",
  tooOld: (version: string, oldest: string) => `isolated-vm ${version} is not safe to run a stranger's code in: install ${oldest} or later`,
  noBinary: (platform: string, arch: string, node: string) =>
    `isolated-vm has no binary for ${platform} ${arch} under Node ${node}: use Node 24 or 26, or run \`npm rebuild isolated-vm\` with a C++ compiler installed`,
  tooOldNode: (version: string) => `toolcell needs Node 24 or later and this is ${version}: install Node 24 and run it again`,
} as const;

// ---- What a person at the command line reads ---------------------------------------------------------------------------

export const CLI = {
  seeHelp: "`toolcell --help` says what there is.",
  unknownCommand: (command: string) => `There is no command "${command}"`,
  unknownFlag: (flag: string) => `There is no flag "${flag}"`,
  missingWord: (what: string) => `The command needs ${what}`,
  extraWord: (word: string) => `The command does not take "${word}"`,
  strayValue: (flag: string) => `Flag "${flag}" takes no value`,
  missingValue: (flag: string) => `Flag "${flag}" needs a value`,
  badDuration: (text: string) => `"${text}" is no time: write 500ms, 30s or 2m`,
  strayWord: (word: string) => `"${word}" is no argument: write name=value, --name value, or one JSON object`,
  notObject: "The arguments must be a JSON object",
  badJson: (reason: string) => `The JSON cannot be read: ${reason}`,
  unreadableFile: (file: string, code: string) => `The file "${file}" cannot be read (${code})`,
  skippedHeading: "Not taken:",
  refusedLabel: "refused",
  toolsLabel: "tools",
  tokens: (count: number) => `about ${count} tokens`,
  permissionsLabel: "asks for",
  brokenLabel: "broken",
  ignoredLabel: "ignored",
  checkFine: (name: string) => `"${name}" is fine.`,
  checkFailed: (name: string) => `"${name}" is not taken as it is.`,
  badName: (name: string) => `"${name}" is no name of a capability: 2 to 40 of a-z, 0-9, _ and -, a letter first`,
  cannotMake: (path: string, code: string) => `"${path}" cannot be made here (${code}): choose a folder that you may write to`,
  exists: (path: string) => `"${path}" exists already`,
  made: (path: string, tool: string) => `Made ${path}. Try it: toolcell call --capabilities ${path}/.. ${tool} name=Ada`,
} as const;
