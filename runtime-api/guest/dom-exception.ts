import { hasOwn, toText } from "./intrinsics.ts";

// Web IDL, 2.8.1: the names that had a number once.
const CODES = {
  IndexSizeError: 1,
  NotFoundError: 8,
  NotSupportedError: 9,
  InvalidStateError: 11,
  SyntaxError: 12,
  InvalidAccessError: 15,
  NetworkError: 19,
  AbortError: 20,
  TimeoutError: 23,
  DataCloneError: 25,
} as const;

/** DOMException (Web IDL, 2.8). */
export class DOMException extends Error {
  readonly #name: string;

  constructor(message: unknown = "", options: unknown = "Error") {
    const { name = "Error", cause } =
      typeof options === "object" && options !== null ? (options as { name?: unknown; cause?: unknown }) : { name: options };
    super(toText(message), cause === undefined ? undefined : { cause });
    this.#name = toText(name);
  }

  override get name(): string {
    return this.#name;
  }

  get code(): number {
    return hasOwn(CODES, this.#name) ? CODES[this.#name as keyof typeof CODES] : 0;
  }

  get [Symbol.toStringTag](): string {
    return "DOMException";
  }
}
