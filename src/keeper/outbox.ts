import { OUTBOX } from "../bridge/outbox.ts";

/**
 * What a guest's turns leave for the host, in memory that both have. All of it is the guest's word: a message that does not
 * fit into it ends the reading.
 */
export class Outbox {
  readonly memory = new SharedArrayBuffer(OUTBOX.bytes);
  readonly #bytes = Buffer.from(this.memory);

  /** Empties it: each message in turn. A body is to be read before `onMessage` returns. */
  take(onMessage: (type: number, call: number, body: Buffer) => void): void {
    const bytes = this.#bytes;
    const end = Math.min(OUTBOX.leadBytes + bytes.readUInt32LE(0), bytes.length);
    bytes.writeUInt32LE(0, 0);
    let at: number = OUTBOX.leadBytes;
    while (at + OUTBOX.headBytes <= end) {
      const start = at + OUTBOX.headBytes;
      const next = start + bytes.readUInt32LE(at + 5);
      if (next > end) return;
      onMessage(bytes.readUInt8(at), bytes.readUInt32LE(at + 1), bytes.subarray(start, next));
      at = next;
    }
  }
}
