import { sameAsNode } from "./as-node.ts";

sameAsNode(["stream", "stream/promises", "stream/consumers", "buffer", "events"], {
  "pipes through transforms to the end": async ({ stream, buffer: { Buffer } }) => {
    const upper = new stream.Transform({
      transform(chunk: Uint8Array, _encoding: string, done: (error: null, chunk: string) => void) {
        done(null, String(chunk).toUpperCase());
      },
    });
    const chunks: string[] = [];
    const sink = new stream.Writable({
      write(chunk: Uint8Array, _encoding: string, done: () => void) {
        chunks.push(String(chunk));
        done();
      },
    });
    await stream.promises.pipeline(stream.Readable.from(["a", Buffer.from("b"), "c"]), upper, new stream.PassThrough(), sink);
    return [chunks, sink.writableFinished, upper.destroyed, stream.Stream === stream];
  },
  "reads by iterating, and by listening": async ({ stream }) => {
    const seen: unknown[] = [];
    for await (const value of stream.Readable.from([1, 2, 3])
      .map((one: number) => one * 2)
      .filter((one: number) => one !== 4))
      seen.push(value);
    const readable = new stream.Readable({ read() {} });
    readable.push("é".slice(0, 1));
    readable.push(null);
    readable.setEncoding("utf8");
    await new Promise((resolve) => readable.on("data", (text: string) => seen.push(text)).on("end", resolve));
    return seen;
  },
  "tells of what goes wrong in the middle": async ({ stream }) => {
    async function* failing() {
      yield "a";
      throw new RangeError("in the middle");
    }
    await stream.promises.pipeline(failing, new stream.PassThrough().resume());
  },
  "ends too early": async ({ stream }) => {
    const readable = new stream.Readable({ read() {} });
    const ended = stream.promises.finished(readable);
    readable.destroy();
    await ended;
  },
  "gives up when a signal says so": async ({ stream }) => {
    const controller = new AbortController();
    const piped = stream.promises.pipeline(new stream.Readable({ read() {} }), new stream.PassThrough(), { signal: controller.signal });
    controller.abort();
    await piped;
  },
  "holds back who writes too much": async ({ stream }) => {
    const sink = new stream.Writable({
      highWaterMark: 3,
      write: (_chunk: unknown, _encoding: unknown, done: () => void) => void setTimeout(done, 0),
    });
    const first = [sink.write("ab"), sink.write("cd")];
    await new Promise((resolve) => sink.once("drain", resolve));
    return [first, sink.writableNeedDrain, stream.getDefaultHighWaterMark(true)];
  },
  "is what old classes inherit from": async ({ stream }) => {
    function Old(this: unknown): void {
      stream.Readable.call(this, { objectMode: true });
    }
    Old.prototype = Object.create(stream.Readable.prototype, { constructor: { value: Old } });
    let left = 2;
    Old.prototype._read = function (): void {
      this.push(left === 0 ? null : { left: left-- });
    };
    const seen: unknown[] = [];
    // oxlint-disable-next-line typescript/no-explicit-any -- a class as one wrote them before there were classes
    for await (const value of new (Old as any)()) seen.push(value);
    return seen;
  },
  "takes a whole stream as one value": async (modules) => {
    const from = (...chunks: string[]): unknown => modules["stream"].Readable.from(chunks);
    const consumers = modules["stream/consumers"];
    return [
      await consumers.text(from("a", "b")),
      await consumers.json(from('{"a":', "1}")),
      (await consumers.buffer(from("x"))).toString("hex"),
      (await consumers.arrayBuffer(from("xyz"))).byteLength,
    ];
  },
  "goes over to the web's streams and back": async ({ stream }) => {
    const web = stream.Readable.toWeb(stream.Readable.from([new Uint8Array([1, 2]), new Uint8Array([3])]));
    const seen: number[] = [];
    for await (const chunk of stream.Readable.fromWeb(web)) seen.push(...chunk);
    return seen;
  },
});

sameAsNode(["timers", "timers/promises", "util"], {
  "has timers that are objects": async ({ timers }) => {
    const timer = timers.setTimeout(() => undefined, 1000);
    const shape = [typeof timer.ref, timer.unref() === timer, timer.hasRef(), typeof timer[Symbol.toPrimitive]()];
    timers.clearTimeout(timer);
    const order: unknown[] = [];
    await new Promise<void>((resolve) => {
      timers.setTimeout(() => (order.push("timeout"), resolve()), 20);
      timers.setImmediate((word: string) => order.push(word), "immediate");
      void Promise.resolve().then(() => order.push("microtask"));
    });
    return [shape, order];
  },
  "waits, repeats, and gives up": async (modules) => {
    const wait = modules["timers/promises"];
    const seen: unknown[] = [await wait.setTimeout(1, "waited"), await wait.setImmediate("soon")];
    for await (const value of wait.setInterval(1, "again")) {
      seen.push(value);
      if (seen.length === 4) break;
    }
    const controller = new AbortController();
    const waiting = wait
      .setTimeout(1000, null, { signal: controller.signal })
      .catch((error: Error & { code: string }) => [error.name, error.code]);
    controller.abort();
    return [...seen, await waiting, await modules["util"].promisify(modules["timers"].setTimeout)(1, "promised")];
  },
});
