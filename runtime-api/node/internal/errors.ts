type Inspect = (value: unknown, options?: object) => string;

/** Few errors show a value, and what shows any is large: where nothing else brings it in, they do without. */
let inspect: Inspect = (value) => (typeof value === "string" ? `'${value}'` : String(value));

export function setInspect(given: Inspect): void {
  inspect = given;
}

type Words = string | ((...args: never[]) => string);

/** Node's error classes, with its names, codes and words, for the modules here that throw them. */
function errorOf(code: string, words: Words, Base: ErrorConstructor): new (...args: unknown[]) => Error {
  return class NodeError extends (Base as new (message?: string) => Error) {
    /** Node keeps a second class that leaves frames out of the stack; here one does for both. */
    static readonly HideStackFramesError = NodeError;
    constructor(...args: unknown[]) {
      super();
      const own = { value: fill(words, this, args), enumerable: false, writable: true, configurable: true };
      Object.defineProperty(this, "message", own);
      Object.defineProperty(this, "code", { value: code, enumerable: true, writable: true, configurable: true });
    }
    override toString(): string {
      return `${this.name} [${code}]: ${this.message}`;
    }
  };
}

function fill(words: Words, self: Error, args: readonly unknown[]): string {
  if (typeof words === "function") return Reflect.apply(words, self, args) as string;
  let next = 0;
  return words.replaceAll("%s", () => String(args[next++]));
}

const TYPES = new Set(["string", "function", "number", "object", "Function", "Object", "boolean", "bigint", "symbol"]);

function invalidArgType(name: string, expected: string | readonly string[], actual: unknown): string {
  const wanted = typeof expected === "string" ? [expected] : expected;
  const what = name.endsWith(" argument") ? name : `"${name}" ${name.includes(".") ? "property" : "argument"}`;
  const types = wanted.filter((value) => TYPES.has(value)).map((value) => value.toLowerCase());
  const instances = wanted.filter((value) => !TYPES.has(value) && /^[A-Z][a-zA-Z0-9]*$/.test(value));
  const other = wanted.filter((value) => !TYPES.has(value) && !instances.includes(value));
  if (instances.length > 0 && types.includes("object")) {
    types.splice(types.indexOf("object"), 1);
    instances.push("Object");
  }
  const parts: string[] = [];
  if (types.length > 0) parts.push(`${types.length > 1 ? "one of type" : "of type"} ${either(types)}`);
  if (instances.length > 0) parts.push(`an instance of ${either(instances)}`);
  const [first = ""] = other;
  if (other.length > 1) parts.push(`one of ${either(other)}`);
  else if (other.length === 1) parts.push(first.toLowerCase() === first ? first : `an ${first}`);
  return `The ${what} must be ${parts.join(" or ")}. Received ${specificType(actual)}`;
}

function either(words: readonly string[]): string {
  if (words.length < 3) return words.join(" or ");
  return `${words.slice(0, -1).join(", ")}, or ${words.at(-1)}`;
}

function specificType(value: unknown): string {
  if (value === null || value === undefined) return String(value);
  switch (typeof value) {
    case "function":
      return `function ${value.name}`;
    case "object":
      if (typeof value.constructor === "function" && "name" in value.constructor) return `an instance of ${value.constructor.name}`;
      return inspect(value, { depth: -1 });
    case "bigint":
      return `type bigint (${value}n)`;
    case "number":
      return `type number (${Object.is(value, -0) ? "-0" : value})`;
    case "string": {
      const shown = value.length > 28 ? `${value.slice(0, 25)}...` : value;
      return `type string (${shown.includes("'") ? JSON.stringify(shown) : `'${shown}'`})`;
    }
    default:
      return `type ${typeof value} (${String(value)})`;
  }
}

function outOfRange(name: string, range: string, input: unknown, replaces = false): string {
  const shown =
    typeof input === "bigint" || (Number.isInteger(input) && Math.abs(Number(input)) > 2 ** 32) ? grouped(input) : inspect(input);
  return `${replaces ? name : `The value of "${name}" is out of range.`} It must be ${range}. Received ${shown}`;
}

function grouped(value: unknown): string {
  const isLarge = typeof value !== "bigint" || value > 2n ** 32n || value < -(2n ** 32n);
  const text = isLarge ? String(value).replaceAll(/\B(?=(?:\d{3})+$)/g, "_") : String(value);
  return typeof value === "bigint" ? `${text}n` : text;
}

function invalidArgValue(name: string, value: unknown, reason = "is invalid"): string {
  const shown = inspect(value);
  const short = shown.length > 128 ? `${shown.slice(0, 128)}...` : shown;
  return `The ${name.includes(".") ? "property" : "argument"} '${name}' ${reason}. Received ${short}`;
}

function missingArgs(...names: (string | string[])[]): string {
  const words = names.map((name) => (Array.isArray(name) ? name.map((one) => `"${one}"`).join(" or ") : `"${name}"`));
  const [last = ""] = words.slice(-1);
  const list = words.length < 3 ? words.join(" and ") : `${words.slice(0, -1).join(", ")}, and ${last}`;
  return `The ${list} argument${words.length === 1 ? "" : "s"} must be specified`;
}

function mimeSyntax(production: string, text: string, index: number): string {
  return `The MIME syntax for a ${production} in "${text}" is invalid${index === -1 ? "" : ` at ${index}`}`;
}

function outOfBounds(name?: string): string {
  return name === undefined ? "Attempt to access memory outside buffer bounds" : `"${name}" is outside of buffer bounds`;
}

function unknownOption(option: string, allowPositionals: boolean): string {
  const hint = allowPositionals
    ? `. To specify a positional argument starting with a '-', place it at the end of the command after '--', as in '-- ${JSON.stringify(option)}`
    : "";
  return `Unknown option '${option}'${hint}`;
}

function unhandledError(value?: unknown): string {
  return value === undefined ? "Unhandled error." : `Unhandled error. (${String(value)})`;
}

function rememberInput(this: Error & { input?: string; base?: string }, input: string, base?: string): string {
  this.input = input;
  if (base !== undefined && base !== null) this.base = base;
  return "Invalid URL";
}

function falsyRejection(this: Error & { reason?: unknown }, reason: unknown): string {
  this.reason = reason;
  return "Promise was rejected with falsy value";
}

const invalidReturn = (wanted: string, name: string, value: unknown): string =>
  `Expected ${wanted} to be returned from the "${name}" function but got ${specificType(value)}.`;
const urlScheme = (expected: string): string => `The URL must be of scheme ${expected}`;

export const codes = {
  ERR_BUFFER_TOO_LARGE: errorOf("ERR_BUFFER_TOO_LARGE", "Cannot create a Buffer larger than %s bytes", RangeError),
  ERR_AMBIGUOUS_ARGUMENT: errorOf("ERR_AMBIGUOUS_ARGUMENT", 'The "%s" argument is ambiguous. %s', TypeError),
  ERR_BUFFER_OUT_OF_BOUNDS: errorOf("ERR_BUFFER_OUT_OF_BOUNDS", outOfBounds, RangeError),
  ERR_CONSTRUCT_CALL_REQUIRED: errorOf("ERR_CONSTRUCT_CALL_REQUIRED", "Class constructor %s cannot be invoked without `new`", TypeError),
  ERR_CRYPTO_HASH_FINALIZED: errorOf("ERR_CRYPTO_HASH_FINALIZED", "Digest already called", Error),
  ERR_CRYPTO_INVALID_DIGEST: errorOf("ERR_CRYPTO_INVALID_DIGEST", "Invalid digest: %s", TypeError),
  ERR_CRYPTO_TIMING_SAFE_EQUAL_LENGTH: errorOf(
    "ERR_CRYPTO_TIMING_SAFE_EQUAL_LENGTH",
    "Input buffers must have the same byte length",
    RangeError,
  ),
  ERR_FALSY_VALUE_REJECTION: errorOf("ERR_FALSY_VALUE_REJECTION", falsyRejection, Error),
  ERR_ILLEGAL_CONSTRUCTOR: errorOf("ERR_ILLEGAL_CONSTRUCTOR", "Illegal constructor", TypeError),
  ERR_INVALID_ARG_TYPE: errorOf("ERR_INVALID_ARG_TYPE", invalidArgType, TypeError),
  ERR_INVALID_ARG_VALUE: errorOf("ERR_INVALID_ARG_VALUE", invalidArgValue, TypeError),
  ERR_INVALID_BUFFER_SIZE: errorOf("ERR_INVALID_BUFFER_SIZE", "Buffer size must be a multiple of %s", RangeError),
  ERR_INVALID_FILE_URL_HOST: errorOf("ERR_INVALID_FILE_URL_HOST", 'File URL host must be "localhost" or empty on %s', TypeError),
  ERR_INVALID_FILE_URL_PATH: errorOf("ERR_INVALID_FILE_URL_PATH", "File URL path %s", TypeError),
  ERR_INVALID_MIME_SYNTAX: errorOf("ERR_INVALID_MIME_SYNTAX", mimeSyntax, TypeError),
  ERR_INVALID_RETURN_VALUE: errorOf("ERR_INVALID_RETURN_VALUE", invalidReturn, TypeError),
  ERR_INVALID_STATE: errorOf("ERR_INVALID_STATE", "Invalid state: %s", Error),
  ERR_INVALID_THIS: errorOf("ERR_INVALID_THIS", 'Value of "this" must be of type %s', TypeError),
  ERR_INVALID_URI: errorOf("ERR_INVALID_URI", "URI malformed", URIError),
  ERR_INVALID_URL: errorOf("ERR_INVALID_URL", rememberInput, TypeError),
  ERR_INVALID_URL_SCHEME: errorOf("ERR_INVALID_URL_SCHEME", urlScheme, TypeError),
  ERR_METHOD_NOT_IMPLEMENTED: errorOf("ERR_METHOD_NOT_IMPLEMENTED", "%s", Error),
  ERR_MISSING_ARGS: errorOf("ERR_MISSING_ARGS", missingArgs, TypeError),
  ERR_OUT_OF_RANGE: errorOf("ERR_OUT_OF_RANGE", outOfRange, RangeError),
  ERR_PARSE_ARGS_INVALID_OPTION_VALUE: errorOf("ERR_PARSE_ARGS_INVALID_OPTION_VALUE", "%s", TypeError),
  ERR_PARSE_ARGS_UNEXPECTED_POSITIONAL: errorOf(
    "ERR_PARSE_ARGS_UNEXPECTED_POSITIONAL",
    "Unexpected argument '%s'. This command does not take positional arguments",
    TypeError,
  ),
  ERR_PARSE_ARGS_UNKNOWN_OPTION: errorOf("ERR_PARSE_ARGS_UNKNOWN_OPTION", unknownOption, TypeError),
  ERR_SOCKET_BAD_PORT: errorOf("ERR_SOCKET_BAD_PORT", "%s should be >= 0 and < 65536. Received %s.", RangeError),
  ERR_UNAVAILABLE_DURING_EXIT: errorOf("ERR_UNAVAILABLE_DURING_EXIT", "Cannot call function in process exit handler", Error),
  ERR_UNHANDLED_ERROR: errorOf("ERR_UNHANDLED_ERROR", unhandledError, Error),
  ERR_UNKNOWN_ENCODING: errorOf("ERR_UNKNOWN_ENCODING", "Unknown encoding: %s", TypeError),
  ERR_UNKNOWN_SIGNAL: errorOf("ERR_UNKNOWN_SIGNAL", "Unknown signal: %s", TypeError),
};

export class AbortError extends Error {
  readonly code = "ABORT_ERR";
  override readonly name = "AbortError";
  constructor(message = "The operation was aborted", options?: ErrorOptions) {
    super(message, options);
  }
}

export const kEnhanceStackBeforeInspector = Symbol("kEnhanceStackBeforeInspector");

export function genericNodeError(message: string, properties: object): Error {
  return Object.assign(new Error(message), properties);
}

export function hideStackFrames<F>(fn: F): F & { withoutStackTrace: F } {
  return Object.assign(fn as F & object, { withoutStackTrace: fn }) as F & { withoutStackTrace: F };
}

export function isStackOverflowError(error: unknown): boolean {
  return error instanceof RangeError && error.message === "Maximum call stack size exceeded";
}

export function isErrorStackTraceLimitWritable(): boolean {
  return true;
}
