/** What `run` is given first. One for each call; it is refused once the call has ended. */
export interface ToolContext {
  /** Where things stand. In an isolate these are mounts, not paths of the machine. */
  readonly paths: ToolPaths;
  /** Facts about the machine, rounded in an isolate. */
  readonly host: ToolHost;
  /** This call's id, as the owner's log and the outcome name it. */
  readonly callId: string;
  /** The most characters that the model can take back, or null where nothing is cut. */
  readonly resultLimit: number | null;
  /** Aborted when the caller gives up or the deadline passes. */
  readonly signal: ToolSignal;
  /** Lines for the owner's log; the model never sees them. */
  readonly log: ToolLog;
  /**
   * Says how far a slow tool has got. `fraction` is held to 0..1, null where it is not known; `detail` is one short line.
   * Reports leave at once, also out of a busy loop; a flood of them is merged.
   */
  progress(fraction: number | null, detail?: string): void;
}

export interface ToolPaths {
  readonly workspace: string;
  readonly home: string;
  readonly capability: string;
  readonly temp: string;
}

export interface ToolHost {
  /** As `process.platform` names it, such as `linux`. */
  readonly os: string;
  readonly arch: string;
  readonly cpus: number;
  readonly memoryBytes: number;
  /** Versions, such as `24` and `0.1.0`. */
  readonly node: string;
  readonly engine: string;
  /** IANA name, such as `Europe/Vienna`. */
  readonly timeZone: string;
  /** BCP 47 tag, such as `en-GB`. */
  readonly locale: string;
}

export interface ToolLog {
  debug(...values: readonly unknown[]): void;
  info(...values: readonly unknown[]): void;
  warn(...values: readonly unknown[]): void;
  error(...values: readonly unknown[]): void;
}

/** The part of AbortSignal (DOM Standard, 3.2) that a tool needs. */
export interface ToolSignal {
  readonly aborted: boolean;
  readonly reason: unknown;
  onabort: ((event: { readonly type: "abort" }) => void) | null;
  throwIfAborted(): void;
  addEventListener(type: "abort", listener: (event: { readonly type: "abort" }) => void, options?: { readonly once?: boolean }): void;
  removeEventListener(type: "abort", listener: (event: { readonly type: "abort" }) => void): void;
}

/** What `run` returns. A string is taken as `{ text }`; any other plain value as its JSON, kept whole as `payload`. */
export interface ToolResult {
  /** What the model reads. */
  readonly text: string;
  /** One line for whoever watches. */
  readonly summary?: string;
  /** The whole evidence, for the owner: anything that JSON can hold. */
  readonly payload?: unknown;
  readonly images?: readonly ToolImage[];
}

export interface ToolImage {
  /** `image/png`, `image/jpeg`, `image/gif` or `image/webp`; it must be what the bytes are. */
  readonly mediaType: string;
  /** Base64. */
  readonly data: string;
  /** True: shown to the owner, kept from the model. */
  readonly forOwner?: boolean;
}
