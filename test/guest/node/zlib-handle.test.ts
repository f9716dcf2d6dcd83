import { sameAsNode } from "./as-node.ts";

// What packages do with Node's zlib beside its functions: pngjs and minizlib read a stream's handle.
sameAsNode(["zlib", "buffer", "util"], {
  "a class called without `new`": ({ zlib }) => {
    const made = zlib.Inflate({ chunkSize: 64 });
    return [made instanceof zlib.Inflate, made["_chunkSize"], made["_finishFlushFlag"], made.bytesWritten];
  },
  "a class of old that inherits and calls it on itself": ({ zlib, buffer, util }) => {
    function Own(this: object, options: object): void {
      zlib.Inflate.call(this, options);
    }
    util.inherits(Own, zlib.Inflate);
    const packed = zlib.deflateSync("tea ".repeat(5000));
    const made = Reflect.construct(Own, [{}]);
    return new Promise((resolve, reject) => {
      const parts: Uint8Array[] = [];
      made.on("data", (part: Uint8Array) => parts.push(part));
      made.on("error", reject);
      made.on("end", () => resolve([made.bytesWritten === packed.length, buffer.Buffer.concat(parts).toString() === "tea ".repeat(5000)]));
      made.end(packed);
    });
  },
  "a handle that is given room piece by piece": ({ zlib, buffer }) => {
    const text = "tea and cake ".repeat(100);
    const packed = zlib.deflateSync(text);
    const inflate = new zlib.Inflate({ chunkSize: 512 });
    const handle = inflate["_handle"];
    const seen: number[] = [];
    let read = "";
    let from = 0;
    for (;;) {
      const output = buffer.Buffer.alloc(512);
      handle.writeSync(zlib.constants.Z_FINISH, packed, from, packed.length - from, output, 0, 512);
      const [room, left] = inflate["_writeState"];
      seen.push(room);
      read += output.toString("latin1", 0, 512 - room);
      from = packed.length - left;
      if (room > 0) break;
    }
    handle.close();
    return [seen, read === text];
  },
  "a chunk processed at once": ({ zlib, buffer }) => {
    const whole = new zlib.Gzip({})["_processChunk"](buffer.Buffer.from("tea"), zlib.constants.Z_FINISH);
    return [zlib.gunzipSync(whole).toString(), new zlib.Gunzip({})["_processChunk"](whole, zlib.constants.Z_FINISH).toString()];
  },
  "a chunk that is no such thing": ({ zlib, buffer }) => {
    const made = new zlib.Inflate({});
    made.on("error", () => undefined);
    return made["_processChunk"](buffer.Buffer.from("no zlib at all"), zlib.constants.Z_FINISH);
  },
});
