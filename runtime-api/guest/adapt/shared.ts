/*
 * What the adapters share. They are bundled with a stranger's source and run before it, in its own cell: what they say of it is
 * as much a stranger's word as the source itself, and the host checks all of it.
 */

/** What an adapter is told of an entry while it lists it. */
export interface About {
  readonly key: string;
  readonly exportName: string | null;
}

export interface ListingAbout extends About {
  readonly toolCount: number;
  readonly descriptionChars: number;
  readonly schemaBytes: number;
}

export interface ServingAbout extends About {
  readonly name: string;
}

/** Plain JSON: the host takes no other. */
export interface ListedTool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: unknown;
  readonly profile?: unknown;
}

export interface Listed {
  readonly tools: readonly ListedTool[];
  readonly faults: readonly { readonly name: string | null; readonly reason: string }[];
  readonly hasCli?: boolean;
}

export interface Served {
  readonly run: (context: unknown, args: unknown) => unknown;
  readonly unload: (() => unknown) | undefined;
}

const { stringify, parse } = JSON;

/** A copy in plain JSON, and how long its text is; null for a value that has none. Throws as the value's own getters do. */
export function toPlain(value: unknown): { readonly value: unknown; readonly chars: number } | null {
  const text: string | undefined = stringify(value);
  return text === undefined ? null : { value: parse(text), chars: text.length };
}

/** Words for what was thrown; never throws. */
export function wordsOf(thrown: unknown): string {
  try {
    const { message } = thrown as { readonly message?: unknown };
    return String(typeof message === "string" ? message : thrown).slice(0, 200);
  } catch {
    return "an error that cannot be read";
  }
}
