/** What a keeper is started with, as JSON in its arguments. */
export interface KeeperSetup {
  readonly memoryBytes: number;
  readonly cpuMs: number;
  /** The most that this process may hold. */
  readonly residentBytes: number;
  /** The largest body that the host takes. */
  readonly bodyBytes: number;
  readonly graceMs: number;
  readonly watchMs: number;
  /** Whether the system ends this process with its host: a turn that does not end may then hold its only thread. */
  readonly isLeashed: boolean;
  /** Whether there is a file for the number of the last call that was begun. */
  readonly hasMark: boolean;
  /** How many cells this process is to hold, each on pipes of its own; 0 for one alone, on the process's own pipes. */
  readonly placeCount: number;
}
