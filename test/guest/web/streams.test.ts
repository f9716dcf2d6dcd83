import { testAsNode, testByStandard } from "./as-node.ts";

testAsNode("streams flow", {
  "pull, desiredSize, cancel": `const seen = []; const s = new ReadableStream({ start(c) { seen.push(c.desiredSize); c.enqueue(1); seen.push(c.desiredSize); }, pull(c) { seen.push("pull"); c.enqueue(2); }, cancel(r) { seen.push("cancel " + r); } }, { highWaterMark: 2 }); const r = s.getReader(); seen.push((await r.read()).value, (await r.read()).value); await r.cancel("why"); return [seen, await r.read()];`,
  "a stream is locked once": `const s = new ReadableStream(); s.getReader(); return s.getReader();`,
  "iteration, and its early end": `const seen = []; const s = new ReadableStream({ pull(c) { c.enqueue(seen.length); }, cancel() { seen.push("cancelled"); } }); for await (const v of s) { seen.push(v); if (v === 2) break; } return [seen, s.locked];`,
  "values with preventCancel": `const s = ReadableStream.from([1, 2, 3]); for await (const v of s.values({ preventCancel: true })) break; const rest = []; for await (const v of s) rest.push(v); return rest;`,
  "from what iterates": `const all = []; for await (const v of ReadableStream.from((async function* () { yield 1; yield 2; })())) all.push(v); for await (const v of ReadableStream.from(new Set(["a"]))) all.push(v); return all;`,
  tee: `const [a, b] = ReadableStream.from(["x", "y"]).tee(); const of = async (s) => { const all = []; for await (const v of s) all.push(v); return all; }; return [await of(a), await of(b)];`,
  "errors reach the reader": `const s = new ReadableStream({ pull() { throw new RangeError("a"); } }); const r = s.getReader(); const seen = []; await r.read().catch((e) => seen.push(e.name)); await r.closed.catch((e) => seen.push(e.name)); return seen;`,
  "a reader that was released": `const s = new ReadableStream(); const r = s.getReader(); const read = r.read(); r.releaseLock(); const seen = []; await read.catch((e) => seen.push(e.name)); await r.read().catch((e) => seen.push(e.name)); return [seen, s.locked];`,
  "byte streams and a reader's own buffer": `const s = new ReadableStream({ type: "bytes", pull(c) { const v = c.byobRequest?.view; if (v) { new Uint8Array(v.buffer, v.byteOffset, v.byteLength).fill(7); c.byobRequest.respond(Math.min(3, v.byteLength)); } else c.enqueue(new Uint8Array([1])); } }); const r = s.getReader({ mode: "byob" }); const first = await r.read(new Uint8Array(5)); const second = await r.read(new Uint16Array(2), { min: 2 }); r.releaseLock(); return [first, second, (await s.getReader().read()).value];`,
  "a byte stream takes the buffer over": `const s = new ReadableStream({ type: "bytes", pull(c) { c.enqueue(new Uint8Array([1, 2])); } }); const r = s.getReader({ mode: "byob" }); const view = new Uint8Array(4); const { value } = await r.read(view); return [value, view.byteLength];`,
  autoAllocateChunkSize: `let size; const s = new ReadableStream({ type: "bytes", autoAllocateChunkSize: 16, pull(c) { size = c.byobRequest.view.byteLength; c.byobRequest.view[0] = 9; c.byobRequest.respond(1); } }); const { value } = await s.getReader().read(); return [size, value];`,
  "no byte reader of a plain stream": `return new ReadableStream().getReader({ mode: "byob" });`,
  "writers wait, close and fail": `const seen = []; const w = new WritableStream({ start(c) { seen.push(c.signal.aborted); }, write(v) { seen.push(v); }, close() { seen.push("close"); } }, { highWaterMark: 1 }).getWriter(); seen.push(w.desiredSize); const p = w.write(1); seen.push(w.desiredSize); await p; await w.ready; await w.close(); return [seen, await w.closed];`,
  "abort reaches the sink and its signal": `const seen = []; let signal; const s = new WritableStream({ start(c) { signal = c.signal; }, abort(r) { seen.push(r); } }); await s.abort("why"); return [seen, signal.aborted, signal.reason, await s.getWriter().closed.catch((e) => e)];`,
  "a failing sink": `const w = new WritableStream({ write() { throw new RangeError("a"); } }).getWriter(); const seen = []; await w.write(1).catch((e) => seen.push(e.name)); await w.write(2).catch((e) => seen.push(e.name)); return seen;`,
  "transform, flush, terminate": `const seen = []; const t = new TransformStream({ transform(v, c) { c.enqueue(v * 2); if (v === 3) c.terminate(); }, flush(c) { c.enqueue("end"); } }); const of = async (s) => { const all = []; for await (const v of s) all.push(v); return all; }; seen.push(await of(ReadableStream.from([1, 2]).pipeThrough(t))); seen.push(await of(ReadableStream.from([1, 3, 4]).pipeThrough(new TransformStream({ transform(v, c) { c.enqueue(v); if (v === 3) c.terminate(); } })))); return seen;`,
  "pipeTo with a signal": `const c = new AbortController(); const seen = []; const s = new ReadableStream({ pull(k) { k.enqueue(1); return new Promise((resolve) => setTimeout(resolve, 1)); }, cancel(r) { seen.push("cancel", r); } }); const p = s.pipeTo(new WritableStream({ write() { if (seen.length === 0) { seen.push("write"); c.abort("why"); } }, abort(r) { seen.push("abort", r); } }), { signal: c.signal }); await p.catch((e) => seen.push("thrown", e)); return seen;`,
  "pipeTo that prevents": `const s = ReadableStream.from([1]); const w = new WritableStream(); await s.pipeTo(w, { preventClose: true }); const writer = w.getWriter(); await writer.write(1); return [w.locked, s.locked];`,
  strategies: `const b = new ByteLengthQueuingStrategy({ highWaterMark: 5 }); const c = new CountQueuingStrategy({ highWaterMark: 2 }); return [b.highWaterMark, b.size(new Uint8Array(3)), c.size("x"), new ReadableStream({ start(k) { k.enqueue(new Uint8Array(3)); throw k.desiredSize; } }, b).getReader ? 1 : 0].slice(0, 3);`,
  "bad arguments": `return [() => new ReadableStream({ type: "x" }), () => new ReadableStream({}, { highWaterMark: -1 }), () => new ReadableStreamDefaultReader({}), () => new ReadableStreamDefaultController(), () => ReadableStream.prototype.getReader.call({}), () => new WritableStream({ type: "x" }), () => ReadableStream.from(1)].map((act) => { try { act(); return "made"; } catch (e) { return e.name; } });`,
});

testByStandard("streams", {
  "a class can be made from them": [
    `class Mine extends ReadableStream { one() { return 1; } } const mine = new Mine({ start(c) { c.enqueue("a"); c.close(); } }); const all = []; for await (const v of mine) all.push(v); return [mine instanceof ReadableStream, mine.one(), all, Object.prototype.toString.call(mine)];`,
    [true, 1, ["a"], "[object ReadableStream]"],
  ],
  "a million chunks take no stack": [
    `let n = 0; for await (const v of new ReadableStream({ pull(c) { if (n === 20000) c.close(); else c.enqueue(n); n += 1; } })) void v; return n;`,
    20_001,
  ],
});
