import { testAsNode, testByStandard } from "./as-node.ts";

testAsNode("text is encoded and decoded", {
  "UTF-8, whole and in parts": `const bytes = new TextEncoder().encode("a\\u00e9\\u20ac\\u{1f600}\\ud800"); const d = new TextDecoder(); let text = ""; for (const byte of bytes) text += d.decode(new Uint8Array([byte]), { stream: true }); return [bytes, text + d.decode(), new TextDecoder().decode(bytes.subarray(1, 2)), new TextDecoder().decode(new DataView(bytes.buffer, 3, 3)), new TextDecoder().decode(bytes.buffer)];`,
  "a byte order mark": `const bytes = new Uint8Array([0xef, 0xbb, 0xbf, 65]); return [new TextDecoder().decode(bytes), new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes)];`,
  malformed: `return [[0xff], [0xc2], [0xe0, 0x80], [0xf4, 0x90, 0x80, 0x80], [0xed, 0xa0, 0x80]].map((bytes) => new TextDecoder().decode(new Uint8Array(bytes)));`,
  fatal: `return new TextDecoder("utf-8", { fatal: true }).decode(new Uint8Array([0xff]));`,
  labels: `return ["utf8", " UTF-8 ", "unicode-1-1-utf-8", "latin1", "ascii", "iso-8859-2", "koi8-r", "sjis", "euc-jp", "gb2312", "big5-hkscs", "ks_c_5601-1987", "utf-16", "utf-16be", "x-user-defined", "iso-8859-8-i", "macintosh", "gb18030", "iso-2022-jp"].map((label) => { try { return new TextDecoder(label).encoding; } catch (error) { return error.name; } }).slice(0, 12);`,
  "a label that is none": `return new TextDecoder("nonsense");`,
  "replacement is no label": `return new TextDecoder("iso-2022-kr");`,
  "older encodings": `const of = (label, ...bytes) => new TextDecoder(label).decode(new Uint8Array(bytes)); return [of("windows-1251", 0xcf, 0xf0), of("shift_jis", 0x82, 0xa0, 0xb1), of("euc-jp", 0xa4, 0xa2), of("gbk", 0xc4, 0xe3), of("big5", 0xa7, 0x41), of("euc-kr", 0xb0, 0xa1), of("utf-16le", 0x3d, 0xd8, 0x00, 0xde), of("utf-16be", 0, 65), of("iso-8859-15", 0xa4), of("gb18030", 0x81, 0x30, 0x84, 0x36)];`,
  "an older encoding in parts": `const d = new TextDecoder("shift_jis"); return [d.decode(new Uint8Array([0x82]), { stream: true }), d.decode(new Uint8Array([0xa0]), { stream: true }), d.decode()];`,
  encodeInto: `const bytes = new Uint8Array(5); const e = new TextEncoder(); return [e.encodeInto("a\\u20acb\\u{1f600}", bytes), bytes, e.encodeInto("\\u{1f600}", new Uint8Array(3)), e.encode(), e.encode(undefined), e.encode(null), e.encoding];`,
  "encodeInto what is no Uint8Array": `return new TextEncoder().encodeInto("a", new Uint16Array(1));`,
  "decode what is no bytes": `return new TextDecoder().decode("text");`,
  attributes: `const d = new TextDecoder("utf-8", { fatal: 1, ignoreBOM: "x" }); return [d.encoding, d.fatal, d.ignoreBOM];`,
  streams: `const of = async (stream) => { const all = []; for await (const part of stream) all.push(part); return all; }; const from = (...parts) => ReadableStream.from(parts);
    return [await of(from("a\\ud83d", "\\ude00", "\\ud800").pipeThrough(new TextEncoderStream())), (await of(from(new Uint8Array([0xe2, 0x82]), new Uint8Array([0xac, 65])).pipeThrough(new TextDecoderStream()))).join("|")];`,
  "a decoder stream that fails": `await new Response(ReadableStream.from([new Uint8Array([0xff])]).pipeThrough(new TextDecoderStream("utf-8", { fatal: true })).pipeThrough(new TextEncoderStream())).text();`,
  base64: `return [btoa(""), btoa("a"), btoa("\\u00ff\\u0000ab"), atob(" YQ = = "), atob("YWI"), atob("/+8="), atob(null), btoa(undefined)];`,
  "no base64": `return ["=", "a", "ab=", "abc==", "a===", "ab=c", "a-_b"].map((text) => { try { return atob(text); } catch (error) { return [error.name, error.code]; } });`,
  "no Latin-1": `return btoa("\\u0100");`,
  compression: `const through = async (bytes, transform) => new Uint8Array(await new Response(new Blob([bytes]).stream().pipeThrough(transform)).arrayBuffer()); const text = new TextEncoder().encode("abc".repeat(10000));
    const results = []; for (const format of ["gzip", "deflate", "deflate-raw"]) { const packed = await through(text, new CompressionStream(format)); const back = await through(packed, new DecompressionStream(format)); results.push(packed.length < 200, back.length, back.every((byte, at) => byte === text[at])); } return results;`,
  "a format that is none": `return new CompressionStream("zip");`,
  "data that is not compressed": `return new Response(new Blob(["no gzip"]).stream().pipeThrough(new DecompressionStream("gzip"))).text();`,
  "data that stops short": `const packed = new Uint8Array(await new Response(new Blob(["abc".repeat(99)]).stream().pipeThrough(new CompressionStream("gzip"))).arrayBuffer()); return new Response(new Blob([packed.subarray(0, 20)]).stream().pipeThrough(new DecompressionStream("gzip"))).text();`,
  "data with more behind it": `const packed = new Uint8Array(await new Response(new Blob(["abc"]).stream().pipeThrough(new CompressionStream("deflate"))).arrayBuffer()); return new Response(new Blob([packed, "more"]).stream().pipeThrough(new DecompressionStream("deflate"))).text();`,
});

testByStandard("text and bytes", {
  "a compressor takes bytes alone": [
    `return new Response(ReadableStream.from(["text"]).pipeThrough(new CompressionStream("gzip"))).text();`,
    "thrown TypeError",
  ],
  "the labels of the Encoding Standard": [
    `return ["utf-16be", "x-user-defined", "iso-8859-8-i", "macintosh", "gb18030", "iso-2022-jp", "utf-16"].map((label) => new TextDecoder(label).encoding);`,
    ["utf-16be", "x-user-defined", "iso-8859-8-i", "macintosh", "gb18030", "iso-2022-jp", "utf-16le"],
  ],
  "windows-1252 is more than Latin-1": [
    `return new TextDecoder("latin1").decode(new Uint8Array([0x80, 0x9f, 0xe9]));`,
    "\u20ac\u0178\u00e9",
  ],
  "ISO-2022-JP keeps its state in parts": [
    `const d = new TextDecoder("iso-2022-jp"); return d.decode(new Uint8Array([0x1b, 0x24, 0x42, 0x24]), { stream: true }) + d.decode(new Uint8Array([0x22, 0x1b, 0x28, 0x42, 65]));`,
    "\u3042A",
  ],
  "a fatal decoder of an older encoding": [
    `return new TextDecoder("euc-kr", { fatal: true }).decode(new Uint8Array([0xff]));`,
    "thrown TypeError",
  ],
  brotli: [
    `const packed = await new Response(new Blob(["abc".repeat(1000)]).stream().pipeThrough(new CompressionStream("brotli"))).bytes(); return [packed.length < 100, (await new Response(new Blob([packed]).stream().pipeThrough(new DecompressionStream("brotli"))).text()).length];`,
    [true, 3000],
  ],
  "a compressor that is given up holds nothing": [
    `for (let at = 0; at < 300; at += 1) { const stream = new CompressionStream("gzip"); const writer = stream.writable.getWriter(); writer.write(new Uint8Array(10)).catch(() => undefined); writer.abort().catch(() => undefined); await stream.readable.cancel().catch(() => undefined); } return "went on";`,
    "went on",
  ],
});
