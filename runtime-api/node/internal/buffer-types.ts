export type BufferLike = Uint8Array<ArrayBuffer> & {
  toString(encoding?: string, start?: number, end?: number): string;
  write(text: string, ...rest: unknown[]): number;
};

export interface BufferClass {
  from(value: unknown, encodingOrOffset?: unknown, length?: number): BufferLike;
  concat(list: readonly Uint8Array[], length?: number): BufferLike;
  isBuffer(value: unknown): boolean;
}
