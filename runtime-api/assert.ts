/** Throws where something is not as a test expects it, and says what it is instead. */
export interface Assert {
  (value: unknown, message?: string): asserts value;
  /** The same value: `Object.is`. */
  equal(actual: unknown, expected: unknown, message?: string): void;
  /** The same JSON: keys in any order, and what is undefined as if it were not there. */
  deepEqual(actual: unknown, expected: unknown, message?: string): void;
  /** A text in which the expression finds something. */
  match(actual: unknown, expression: RegExp, message?: string): void;
  /** A function that throws, or a promise that rejects; resolves with the error. */
  rejects(action: (() => unknown) | PromiseLike<unknown>, expression?: RegExp, message?: string): Promise<unknown>;
}

class AssertionError extends Error {
  override readonly name = "AssertionError";
}

export const assert: Assert = Object.assign(
  (value: unknown, message = `${show(value)} is not what is expected`): asserts value => {
    if (!value) throw new AssertionError(message);
  },
  {
    equal(actual: unknown, expected: unknown, message = `${show(actual)} is not ${show(expected)}`): void {
      if (!Object.is(actual, expected)) throw new AssertionError(message);
    },
    deepEqual(actual: unknown, expected: unknown, message?: string): void {
      const difference = findDifference(actual, expected, "");
      if (difference !== null) throw new AssertionError(message ?? difference);
    },
    match(actual: unknown, expression: RegExp, message = `${show(actual)} does not match ${String(expression)}`): void {
      if (typeof actual !== "string" || actual.search(expression) === -1) throw new AssertionError(message);
    },
    async rejects(action: (() => unknown) | PromiseLike<unknown>, expression?: RegExp, message?: string): Promise<unknown> {
      let error: unknown;
      try {
        await (typeof action === "function" ? action() : action);
      } catch (thrown) {
        error = thrown;
        if (expression !== undefined) assert.match(error instanceof Error ? error.message : String(error), expression, message);
        return error;
      }
      throw new AssertionError(message ?? "nothing was thrown");
    },
  },
);

/** The first place at which two values differ, in words. */
function findDifference(actual: unknown, expected: unknown, at: string): string | null {
  if (Object.is(actual, expected)) return null;
  const place = at === "" ? "" : `at ${at}: `;
  if (!isObject(actual) || !isObject(expected) || Array.isArray(actual) !== Array.isArray(expected)) {
    return `${place}${show(actual)} is not ${show(expected)}`;
  }
  for (const key of new Set([...Object.keys(actual), ...Object.keys(expected)])) {
    const difference = findDifference(actual[key], expected[key], `${at}${Array.isArray(actual) ? `[${key}]` : `.${key}`}`);
    if (difference !== null) return difference;
  }
  return Array.isArray(actual) && actual.length !== expected["length"]
    ? `${place}${actual.length} items are not ${show(expected["length"])}`
    : null;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null;
}

const SHOWN_CHARS = 300;

function show(value: unknown): string {
  const text = toText(value);
  return text.length > SHOWN_CHARS ? `${text.slice(0, SHOWN_CHARS)}…` : text;
}

function toText(value: unknown): string {
  if (typeof value === "function" || typeof value === "symbol" || typeof value === "bigint") return String(value);
  try {
    return JSON.stringify(value) ?? "undefined";
  } catch {
    return "a value that is no JSON";
  }
}
