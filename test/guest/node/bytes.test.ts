import { sameAsNode } from "./as-node.ts";

sameAsNode(["buffer"], {
  "makes bytes of text in every encoding, and text again": ({ buffer: { Buffer } }) => {
    const encodings = ["utf8", "utf-8", "UTF8", "hex", "base64", "base64url", "latin1", "binary", "ascii", "ucs2", "utf16le", "UCS-2"];
    const texts = ["", "abc", "héé€𝄞", "00ff7f", "-_8+/w==", "abc=", "\ud800x", "a\u0000b", "  Zm9v\n"];
    return encodings.map((encoding) =>
      texts.map((text) => {
        const bytes = Buffer.from(text, encoding);
        return [
          [...bytes],
          bytes.toString(encoding),
          bytes.toString(encoding, 1, 3),
          Buffer.byteLength(text, encoding),
          Buffer.isEncoding(encoding),
        ];
      }),
    );
  },
  "makes bytes of whatever else it can": ({ buffer: { Buffer } }) => {
    const memory = new Uint8Array([1, 2, 3, 4]).buffer;
    const all = [
      Buffer.from([1, 257, -1, "3"]),
      Buffer.from(memory, 1, 2),
      Buffer.from(new Uint16Array([1, 256])),
      Buffer.from(Buffer.from("x")),
      Buffer.from({ type: "Buffer", data: [1, 2] }),
      Buffer.from(Object("text")),
      Buffer.alloc(3, "ab"),
      Buffer.alloc(2, 258),
      Buffer.concat([Buffer.from("a"), new Uint8Array([98])], 3),
      Buffer.copyBytesFrom(new Uint16Array([1, 2, 3]), 1, 1),
      Buffer.of(1, 2),
    ];
    return all.map((bytes) => [bytes.toJSON(), bytes instanceof Uint8Array, Buffer.isBuffer(bytes), bytes.constructor.name]);
  },
  "refuses what it cannot make bytes of": ({ buffer: { Buffer } }) => Buffer.from(1),
  "refuses an encoding that there is none of": ({ buffer: { Buffer } }) => Buffer.from("a", "utf7"),
  "reads and writes numbers of every width": ({ buffer: { Buffer } }) => {
    const bytes = Buffer.alloc(40);
    bytes.writeUInt8(250, 0);
    bytes.writeInt16LE(-2, 1);
    bytes.writeUint32BE(0xdeadbeef, 3);
    bytes.writeIntBE(-123456, 7, 6);
    bytes.writeUIntLE(0x123456789a, 13, 5);
    bytes.writeDoubleLE(Math.PI, 18);
    bytes.writeFloatBE(1.5, 26);
    bytes.writeBigInt64LE(-5n, 30);
    return [
      bytes.toString("hex"),
      bytes.readUInt8(0),
      bytes.readInt16LE(1),
      bytes.readUInt32BE(3),
      bytes.readIntBE(7, 6),
      bytes.readUIntLE(13, 5),
      bytes.readDoubleLE(18),
      bytes.readFloatBE(26),
      `${bytes.readBigInt64LE(30)} ${bytes.readBigUInt64BE(30)}`,
    ];
  },
  "refuses to read past its end": ({ buffer: { Buffer } }) => Buffer.alloc(4).readUInt32LE(1).toString(),
  "searches, compares, fills, copies and swaps": ({ buffer: { Buffer } }) => {
    const bytes = Buffer.from("abcabc é");
    const target = Buffer.alloc(4, ".");
    return [
      bytes.indexOf("c"),
      bytes.indexOf("c", 3),
      bytes.lastIndexOf(Buffer.from("ab")),
      bytes.includes(0xc3),
      bytes.indexOf("YQ", 0, "base64url"),
      bytes.copy(target, 1, 3),
      target.toString(),
      Buffer.compare(Buffer.from("a"), Buffer.from("b")),
      bytes.equals(Buffer.from("abcabc é")),
      Buffer.from("abcd").swap16().toString(),
      Buffer.from("abcdefgh").swap64().toString(),
      bytes.subarray(1, 3).toString(),
      bytes.slice(-2).toString("hex"),
      bytes.slice(1).buffer === bytes.buffer,
      Buffer.alloc(5).fill("ab", 1, 4).toString("latin1"),
      bytes.write("xyz", 1, 2),
      bytes.toString(),
      bytes.write("ff", 0, "hex"),
    ];
  },
  "is what old packages call it": ({ buffer }) => {
    const bytes = buffer.Buffer.from("héllo");
    return [
      bytes.utf8Slice(0, 3),
      bytes.hexSlice(),
      bytes.latin1Slice(1, 3),
      bytes.utf8Write("x", 0),
      typeof buffer.kMaxLength,
      buffer.constants.MAX_STRING_LENGTH > 0,
    ];
  },
  "knows text from bytes": ({ buffer }) => [
    buffer.isUtf8(buffer.Buffer.from("é")),
    buffer.isUtf8(new Uint8Array([0xc3])),
    buffer.isAscii(buffer.Buffer.from("é")),
    buffer.transcode(buffer.Buffer.from("é"), "utf8", "latin1").toString("hex"),
  ],
});

sameAsNode(["string_decoder", "buffer"], {
  "puts characters together that chunks cut apart": ({ string_decoder, buffer: { Buffer } }) => {
    const bytes = Buffer.from("aé€𝄞z\ufeff");
    const ill = Buffer.from([0x61, 0xe2, 0x82, 0x62, 0xf0, 0x9d, 0x84, 0xed, 0xa0, 0x80, 0xc0, 0x80, 0xf5, 0xe2, 0x82]);
    const results: unknown[] = [];
    for (const encoding of ["utf8", "utf16le", "base64", "base64url", "hex", "latin1", "ascii"]) {
      for (const whole of [bytes, ill]) {
        for (const step of [1, 2, 3, 5]) {
          const decoder = new string_decoder.StringDecoder(encoding);
          const parts: string[] = [];
          for (let at = 0; at < whole.length; at += step) parts.push(decoder.write(whole.subarray(at, at + step)));
          parts.push(decoder.end());
          // Where a text is ill-formed only the whole has to be the same, not what each chunk gave of it.
          results.push(whole === bytes ? parts : parts.join(""));
        }
      }
    }
    return results;
  },
  "can be used again after its end": ({ string_decoder, buffer: { Buffer } }) => {
    const decoder = new string_decoder.StringDecoder();
    return [decoder.write(Buffer.from([0xe2])), decoder.end(), decoder.write(Buffer.from("ok")), decoder.encoding];
  },
  "refuses an encoding that there is none of": ({ string_decoder }) => new string_decoder.StringDecoder("utf7"),
});
