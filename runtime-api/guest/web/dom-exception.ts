import { GuestError, apply, define, hasOwn } from "../intrinsics.ts";
import { defineConstants, installInterface, isObject, toScalarText } from "./interface.ts";

// Web IDL, 2.8.1: the names that had a number once, and the constants for these numbers.
const CODES = {
  __proto__: null,
  IndexSizeError: 1,
  HierarchyRequestError: 3,
  WrongDocumentError: 4,
  InvalidCharacterError: 5,
  NoModificationAllowedError: 7,
  NotFoundError: 8,
  NotSupportedError: 9,
  InUseAttributeError: 10,
  InvalidStateError: 11,
  SyntaxError: 12,
  InvalidModificationError: 13,
  NamespaceError: 14,
  InvalidAccessError: 15,
  TypeMismatchError: 17,
  SecurityError: 18,
  NetworkError: 19,
  AbortError: 20,
  URLMismatchError: 21,
  QuotaExceededError: 22,
  TimeoutError: 23,
  InvalidNodeTypeError: 24,
  DataCloneError: 25,
} as unknown as Readonly<Record<string, number>>;
const CONSTANTS = {
  INDEX_SIZE_ERR: 1,
  DOMSTRING_SIZE_ERR: 2,
  HIERARCHY_REQUEST_ERR: 3,
  WRONG_DOCUMENT_ERR: 4,
  INVALID_CHARACTER_ERR: 5,
  NO_DATA_ALLOWED_ERR: 6,
  NO_MODIFICATION_ALLOWED_ERR: 7,
  NOT_FOUND_ERR: 8,
  NOT_SUPPORTED_ERR: 9,
  INUSE_ATTRIBUTE_ERR: 10,
  INVALID_STATE_ERR: 11,
  SYNTAX_ERR: 12,
  INVALID_MODIFICATION_ERR: 13,
  NAMESPACE_ERR: 14,
  INVALID_ACCESS_ERR: 15,
  VALIDATION_ERR: 16,
  TYPE_MISMATCH_ERR: 17,
  SECURITY_ERR: 18,
  NETWORK_ERR: 19,
  ABORT_ERR: 20,
  URL_MISMATCH_ERR: 21,
  QUOTA_EXCEEDED_ERR: 22,
  TIMEOUT_ERR: 23,
  INVALID_NODE_TYPE_ERR: 24,
  DATA_CLONE_ERR: 25,
} as const;

const { construct, setPrototypeOf } = Reflect;
const captureStackTrace: unknown = Reflect.get(GuestError, "captureStackTrace");

// What a constructor returns is what its subclass puts private fields on: so an Error gets them.
const Returned = function returned(this: unknown, self: object): object {
  return self;
} as unknown as new (self: object) => object;

class Slots extends Returned {
  readonly #name: string;
  readonly #message: string;

  constructor(self: object, name: string, message: string) {
    super(self);
    this.#name = name;
    this.#message = message;
  }

  static nameOf(self: object): string {
    return (self as Slots).#name;
  }

  static messageOf(self: object): string {
    return (self as Slots).#message;
  }

  static isIn(value: unknown): boolean {
    return isObject(value) && #name in value;
  }
}

const { nameOf, messageOf, isIn } = Slots;

/** Whether a value is one of these, and no look-alike. */
export const isDomException = isIn as (value: unknown) => value is DOMException;

/** DOMException (Web IDL, 2.8): an Error whose name and message are its class's attributes. */
export class DOMException {
  declare readonly stack?: string;
  declare readonly cause?: unknown;

  constructor(message: unknown = "", options: unknown = "Error") {
    const self = construct(GuestError, [], new.target) as DOMException;
    const name = isObject(options) ? ((options as { name?: unknown }).name ?? "Error") : options;
    // oxlint-disable-next-line no-new -- it is `self` that gets the fields
    new Slots(self, toScalarText(name), toScalarText(message));
    if (isObject(options) && "cause" in options) define(self, "cause", options.cause);
    if (typeof captureStackTrace === "function") apply(captureStackTrace, GuestError, [self, DOMException]);
    // oxlint-disable-next-line no-constructor-return -- only the Error's own constructor makes what the engine takes for an error
    return self;
  }

  get name(): string {
    return nameOf(this);
  }

  get message(): string {
    return messageOf(this);
  }

  get code(): number {
    const name = nameOf(this);
    return hasOwn(CODES, name) ? (CODES[name] as number) : 0;
  }
}

export function installDomException(target: object): void {
  setPrototypeOf(DOMException.prototype, GuestError.prototype);
  defineConstants(DOMException, CONSTANTS);
  installInterface(target, "DOMException", DOMException);
}
