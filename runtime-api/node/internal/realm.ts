export interface RealmUrl {
  href: string;
  protocol: string;
  username: string;
  password: string;
  host: string;
  hostname: string;
  port: string;
  pathname: string;
  search: string;
  hash: string;
}
type Constructor<Args extends readonly unknown[], Instance> = new (...args: Args) => Instance;

/** What these modules use of the web's platform, which the guest's runtime has put on the global object. */
export interface Realm {
  readonly URL: Constructor<[url: string, base?: string], RealmUrl>;
  readonly URLSearchParams: Constructor<[init?: unknown], object>;
  readonly TextDecoder: Constructor<[label?: string, options?: object], { decode(bytes?: Uint8Array, options?: object): string }>;
  readonly TextEncoder: Constructor<[], { encode(text?: string): Uint8Array }>;
  readonly AbortController: Constructor<[], { readonly signal: RealmSignal; abort(reason?: unknown): void }>;
  readonly performance?: { now(): number; readonly timeOrigin: number };
  readonly crypto: Readonly<Record<string, unknown>>;
  readonly console: Readonly<Record<"debug" | "log" | "info" | "warn" | "error", (...values: unknown[]) => void>>;
  setTimeout(callback: (...args: never[]) => void, delay?: number, ...args: unknown[]): number;
  setInterval(callback: (...args: never[]) => void, delay?: number, ...args: unknown[]): number;
  clearTimeout(timer: unknown): void;
  clearInterval(timer: unknown): void;
  queueMicrotask(callback: () => void): void;
  readonly [name: string]: unknown;
}

export interface RealmSignal {
  readonly aborted: boolean;
  readonly reason: unknown;
  addEventListener(type: "abort", listener: () => void, options?: object): void;
  removeEventListener(type: "abort", listener: () => void): void;
}

export const realm = globalThis as unknown as Realm;
