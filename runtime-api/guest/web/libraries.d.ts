export interface Encodings {
  /** The name of the encoding that a label stands for, in lower case. */
  normalizeEncoding(label: string): string | null;
  /** A TextDecoder for every encoding of the Encoding Standard. */
  readonly TextDecoder: new (
    encoding: string,
    options: { readonly fatal: boolean; readonly ignoreBOM: boolean },
  ) => { decode(bytes: Uint8Array, options: { readonly stream: boolean }): string };
}
export declare function loadEncodings(): Encodings;

export interface Pattern {
  test(input: unknown, base: unknown): boolean;
  exec(input: unknown, base: unknown): object | null;
  readonly protocol: string;
  readonly username: string;
  readonly password: string;
  readonly hostname: string;
  readonly port: string;
  readonly pathname: string;
  readonly search: string;
  readonly hash: string;
  readonly hasRegExpGroups: boolean;
}
export declare function loadUrlPattern(): new (...args: readonly unknown[]) => Pattern;
