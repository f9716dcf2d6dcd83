/**
 * What is said between the engine and its probe: a program started as a keeper is, that tries from the inside what a keeper
 * must not be able to do. LOAD carries `ProbeTargets`, RESULT a `ProbeReport`.
 */
export interface ProbeTargets {
  readonly hostPid: number;
  /** A folder of the engine's own that exists. */
  readonly home: string;
  /** Listened on by the host, on its loopback and in its file system. */
  readonly port: number;
  readonly socket: string;
}

export type Attempt =
  | "read a system file"
  | "read the engine's home"
  | "list the root folder"
  | "write to the temporary folder"
  | "write to its own folder"
  | "read its own code again"
  | "start a process"
  | "become another program"
  | "start a worker thread"
  | "open an inspector"
  | "load an addon"
  | "take a permission back"
  | "read the host's environment"
  | "read the host's memory"
  | "see an environment variable of the host"
  | "use a descriptor of the host"
  | "leave data in the mark"
  | "connect to the host's network"
  | "connect to a Unix socket"
  | "send the host a signal";

export interface ProbeReport {
  readonly attempts: readonly { readonly attempt: Attempt; readonly isRefused: boolean; readonly detail: string }[];
  /** As the process is held to it: bytes, or "unlimited". */
  readonly coreLimit: number | "unlimited";
  readonly dataLimit: number | "unlimited";
  readonly hasWebAssembly: boolean;
}
