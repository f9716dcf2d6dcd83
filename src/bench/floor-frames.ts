// The least that cuts a stream of bytes into texts: four bytes of length, then so many of text. Both ends trust each other.

const LENGTH_BYTES = 4;

/** Takes chunks, and calls `onText` for each text that is whole. A chunk's memory may be written to again afterwards. */
export function createReader(onText: (text: string) => void): (chunk: Buffer) => void {
  // What has arrived of a text that has not arrived as a whole: its length first, then the place for all of it.
  let begun: Buffer = Buffer.alloc(0);
  let frame: Buffer | null = null;
  let filled = 0;
  return (chunk) => {
    let at = 0;
    if (begun.length > 0) {
      chunk = Buffer.concat([begun, chunk]);
      begun = Buffer.alloc(0);
    }
    while (at < chunk.length) {
      if (frame !== null) {
        const taken = chunk.copy(frame, filled, at);
        filled += taken;
        at += taken;
        if (filled < frame.length) return;
        const text = frame.toString("utf8");
        frame = null;
        onText(text);
      } else if (chunk.length - at < LENGTH_BYTES) {
        begun = Buffer.from(chunk.subarray(at));
        return;
      } else {
        const length = chunk.readUInt32LE(at);
        const start = at + LENGTH_BYTES;
        if (start + length <= chunk.length) {
          at = start + length;
          onText(chunk.toString("utf8", start, at));
        } else {
          frame = Buffer.allocUnsafe(length);
          filled = 0;
          at = start;
        }
      }
    }
  };
}

/** A text with its length before it, in `reused` where it surely fits. */
export function toFrame(text: string, reused?: Buffer): Buffer {
  const room = LENGTH_BYTES + text.length * 3;
  const buffer = reused !== undefined && room <= reused.length ? reused : Buffer.allocUnsafe(LENGTH_BYTES + Buffer.byteLength(text));
  const length = buffer.write(text, LENGTH_BYTES);
  buffer.writeUInt32LE(length, 0);
  return buffer.subarray(0, LENGTH_BYTES + length);
}
