/** Options of a ToolError. */
export interface ToolErrorOptions {
  /** True where the same call may succeed later. Default false. */
  readonly retryable?: boolean;
  readonly cause?: unknown;
}

/**
 * An ordinary refusal. Its message is what the model reads, so it says what went wrong and what to change:
 * `throw new ToolError("No place called 'Daytn' was found. Check the spelling.")`.
 */
export class ToolError extends Error {
  override readonly name: string = "ToolError";
  readonly retryable: boolean;
  // What the runtime reads: a private field cannot be forged, and no getter stands in its way.
  #told: Told;

  constructor(message: string, options: ToolErrorOptions = {}) {
    super(message, "cause" in options ? { cause: options.cause } : undefined);
    this.retryable = options.retryable === true;
    this.#told = { message: String(message), retryable: this.retryable, isOfArguments: false };
  }

  /** @internal For arguments that a tool's own schema does not take. */
  static ofArguments(message: string): ToolError {
    const error = new ToolError(message);
    error.#told = { ...error.#told, isOfArguments: true };
    return error;
  }

  /** @internal What a ToolError was made with, or null for any other value. */
  static told(value: unknown): Told | null {
    return typeof value === "object" && value !== null && #told in value ? value.#told : null;
  }
}

interface Told {
  readonly message: string;
  readonly retryable: boolean;
  /** Whether it speaks of the call's arguments, which did not come as far as the tool. */
  readonly isOfArguments: boolean;
}
