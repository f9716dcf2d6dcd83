import parseArgsLibrary from "nodelib:internal/util/parse_args/parse_args";
import comparisons from "nodelib:internal/util/comparisons";
import mime from "nodelib:internal/mime";
import { realm } from "./internal/realm.ts";
import { format, formatWithOptions, inspect, stripVTControlCharacters } from "./internal/util/inspect.ts";
import { isError } from "./internal/util.ts";
import { aborted, callbackify, promisify } from "./internal/util/callbacks.ts";
import { inherits, styleText, debuglog, deprecate, parseEnv, toUSVString } from "./internal/util/small.ts";
import { errors } from "./internal/util/system-errors.ts";
import { types } from "./internal/util/types.ts";

const isOf = (type: string) => (value: unknown) => typeof value === type;

export const shim = {
  aborted,
  callbackify,
  debug: debuglog,
  debuglog,
  deprecate,
  format,
  formatWithOptions,
  getSystemErrorMap: () => new Map(errors),
  getSystemErrorName: (number: number) => errors.get(number)?.[0],
  getSystemErrorMessage: (number: number) => errors.get(number)?.[1],
  getCallSites: () => [],
  inherits,
  inspect,
  isArray: Array.isArray,
  isBoolean: isOf("boolean"),
  isBuffer: (value: unknown) => value instanceof Uint8Array && "readUInt8" in value,
  isDate: types["isDate"],
  isDeepStrictEqual: comparisons["isDeepStrictEqual"],
  isError,
  isFunction: isOf("function"),
  isNull: (value: unknown) => value === null,
  isNullOrUndefined: (value: unknown) => value === null || value === undefined,
  isNumber: isOf("number"),
  isObject: (value: unknown) => typeof value === "object" && value !== null,
  isPrimitive: (value: unknown) => (typeof value !== "object" && typeof value !== "function") || value === null,
  isRegExp: types["isRegExp"],
  isString: isOf("string"),
  isSymbol: isOf("symbol"),
  isUndefined: isOf("undefined"),
  log: (...values: unknown[]) => realm.console.log(format(...values)),
  parseArgs: parseArgsLibrary["parseArgs"],
  parseEnv,
  promisify,
  stripVTControlCharacters,
  styleText,
  toUSVString,
  types,
  MIMEParams: mime["MIMEParams"],
  MIMEType: mime["MIMEType"],
  TextDecoder: realm.TextDecoder,
  TextEncoder: realm.TextEncoder,
  _extend: (target: object, source: unknown) => (typeof source === "object" && source !== null ? Object.assign(target, source) : target),
};
