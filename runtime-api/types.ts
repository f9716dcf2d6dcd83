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
  /** Files in the mounts that `paths` names. Needs the permissions `workspace` and `home` for those two. */
  readonly fs: ToolFiles;
  /** Small values that are kept for this capability. Needs the permission `storage`. */
  readonly storage: ToolStorage;
  /** Stand-ins for secrets. Needs the permission `secrets`. */
  readonly secrets: ToolSecrets;
  /** Programs of the machine. Needs the permission `process`. */
  readonly process: ToolProcess;
  /**
   * Says how far a slow tool has got. `fraction` is held to 0..1, null where it is not known; `detail` is one short line.
   * Reports leave at once, also out of a busy loop; a flood of them is merged.
   */
  progress(fraction: number | null, detail?: string): void;
}

/**
 * Files. A relative path starts in `/workspace`; `/home` is kept over calls for the owner's tools, `/capability` is the
 * package's own folder, `/tmp` is the capability's alone and goes with the engine. What the host refuses rejects with a `code`:
 * `PERMISSION_DENIED`, `POWER_LIMIT`, or a word of the file system, such as `ENOENT`.
 */
export interface ToolFiles {
  /** UTF-8; whatever is none becomes U+FFFD, and a byte order mark stays. */
  readText(path: string, range?: ToolFileRange): Promise<string>;
  readBytes(path: string, range?: ToolFileRange): Promise<Uint8Array>;
  /** Replaces the file as a whole, or makes it. */
  write(path: string, content: string | Uint8Array): Promise<void>;
  append(path: string, content: string | Uint8Array): Promise<void>;
  /** Sorted by name. */
  list(path: string): Promise<ToolFileList>;
  /** Follows links, as far as they stay in the mount. */
  stat(path: string): Promise<ToolFileStats>;
  /** Makes a folder and those above it. */
  make(path: string): Promise<void>;
  /** Within one mount; what stands under the new name is replaced. */
  move(from: string, to: string): Promise<void>;
  /** One file. */
  copy(from: string, to: string): Promise<void>;
  /** A file, a link or an empty folder; with `recursive` a folder and all that is in it. */
  remove(path: string, options?: { readonly recursive?: boolean }): Promise<void>;
  exists(path: string): Promise<boolean>;
}

/** Bytes: from `start` (default 0), at most `length` (default: to the end). */
export interface ToolFileRange {
  readonly start?: number;
  readonly length?: number;
}

export interface ToolFileEntry {
  readonly name: string;
  readonly type: "file" | "folder" | "link" | "other";
}

export interface ToolFileList extends ReadonlyArray<ToolFileEntry> {
  /** There were more than the owner's limit: the list is a part of them. */
  readonly isTruncated: boolean;
}

export interface ToolFileStats {
  readonly type: "file" | "folder" | "link" | "other";
  /** Bytes. */
  readonly size: number;
  /** Milliseconds since 1970. */
  readonly modifiedMs: number;
  readonly createdMs: number;
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

/**
 * Small JSON values by key, kept for one capability over its calls, reloads and updates. A key is a string of up to 512 bytes
 * without NUL, compared by its characters as they are. Each change is whole or did not happen; of two calls that set one key
 * the last wins, so that a value that is read, changed and set again may lose what another call has set meanwhile.
 */
export interface ToolStorage {
  /** The value, or undefined where there is none. */
  get(key: string): Promise<unknown>;
  /** Keeps a JSON value. Rejects where it is larger than the owner allows, alone or with what is there already. */
  set(key: string, value: unknown): Promise<void>;
  /** Whether there was anything to delete. */
  delete(key: string): Promise<boolean>;
  /** Keys that begin with `prefix`, in the order of their code points. */
  list(prefix?: string): Promise<string[]>;
}

export interface ToolSecrets {
  /**
   * A stand-in for a secret. Put it into a URL, a header or a body of `fetch`: the host replaces it with the value on its way
   * to a host that the grant names. The value itself never comes here, and is masked in what comes back.
   */
  get(name: string): Promise<ToolSecret>;
}

export interface ToolSecret {
  readonly name: string;
  /** The stand-in, as `${secret}` writes it. It is good for this capability while this engine lives: do not store it. */
  toString(): string;
  toJSON(): string;
}

/** What `getCredential` is told. */
export interface CredentialOptions {
  /** The credential's name in config.json, such as `myapi`. */
  readonly credentialName: string;
  /** Who asks, for the words of an error. */
  readonly toolName: string;
  /** Which of the credential's keys. Default `api_key`. */
  readonly keyName?: string;
  /** Its name in the vault, in shared/credentials.json and in the environment, such as `MYAPI_KEY`. */
  readonly envVar?: string;
}

export interface ToolProcess {
  /**
   * Runs a program that the owner has granted by name, without a shell, and resolves when it has ended, whatever its exit code.
   * Its environment is empty but for what `env` may set, its home an empty folder. Everything that it has started ends with it.
   * It is an ordinary process of the owner's account: a grant gives whatever that program can do.
   * Rejects with `code` ETIMEDOUT when its time is over.
   */
  run(program: string, args?: readonly string[], options?: ToolProcessOptions): Promise<ToolProcessEnd>;
}

export interface ToolProcessOptions {
  /** What it reads on its stdin, which is empty otherwise. */
  readonly input?: string | Uint8Array;
  /** A folder in `/workspace`. Default: `/workspace`, or an empty folder where the workspace is not granted. */
  readonly cwd?: string;
  /** Milliseconds; the owner's limit is the most. */
  readonly timeoutMs?: number;
  /** LANG, LC_ALL, TZ, NO_COLOR and git's author and committer. */
  readonly env?: Readonly<Record<string, string>>;
}

export interface ToolProcessEnd {
  /** Null where a signal ended it. */
  readonly exitCode: number | null;
  readonly signal: string | null;
  /** Its output as UTF-8; whatever is none is U+FFFD. */
  readonly stdout: string;
  readonly stderr: string;
  /** It wrote more than the owner allows, and was ended there. */
  readonly truncated: boolean;
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
