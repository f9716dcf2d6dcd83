import assert from "node:assert/strict";
import { test } from "node:test";
import { inGuest } from "./a-guest.ts";

// Walks everything that can be reached, by properties, accessors, prototypes and what a use of each class leads to.
const WALK = `
  const seen = new Set();
  const foreign = [];
  let functions = 0;
  const roots = { globalThis, context, ...made };
  const queue = Object.entries(roots).map(([path, value]) => ({ path, value }));
  const ends = new Set([null, Object.prototype]);
  while (queue.length > 0) {
    const { path, value } = queue.pop();
    if ((typeof value !== "object" || value === null) && typeof value !== "function") continue;
    if (seen.has(value)) continue;
    seen.add(value);
    let top = value;
    while (Object.getPrototypeOf(top) !== null) top = Object.getPrototypeOf(top);
    // A chain ends in this realm's Object.prototype, or was made without any.
    if (top !== Object.prototype && Object.getPrototypeOf(value) !== null && typeof value === "function") foreign.push(path);
    if (typeof value === "function") {
      functions += 1;
      if (!(value instanceof Function) && value !== Function.prototype) foreign.push(path + " is no Function of this realm");
      const { constructor } = Object.getPrototypeOf(value);
      const made = typeof constructor === "function" && constructor.name === "Function" ? constructor("return this")() : globalThis;
      if (made !== globalThis) foreign.push(path + " leads to another global object");
    } else if (top !== Object.prototype && top.constructor !== undefined) foreign.push(path + " has a foreign prototype");
    if (Array.isArray(value) && !(value instanceof Array) && value !== Array.prototype) foreign.push(path + " is a foreign array");
    for (const key of Reflect.ownKeys(value)) {
      const { value: inner, get, set } = Reflect.getOwnPropertyDescriptor(value, key) ?? {};
      const name = path + "." + String(key);
      for (const each of [inner, get, set]) queue.push({ path: name, value: each });
      // What an attribute of an object gives, where it gives anything.
      if (get !== undefined) try { queue.push({ path: name + "()", value: value[key] }); } catch (error) { queue.push({ path: name + "!", value: error }); }
    }
    queue.push({ path: path + ".__proto__", value: Object.getPrototypeOf(value) });
  }
  return { seen: seen.size, functions, foreign: [...new Set(foreign)].slice(0, 20) };`;

const MAKE = `
  const caught = async (act) => { try { return await act(); } catch (error) { return error; } };
  const inside = {};
  const stream = new ReadableStream({ type: "bytes", pull(controller) { inside.controller = controller; inside.request = controller.byobRequest; controller.enqueue(new Uint8Array([1])); controller.close(); } });
  const made = {
    url: new URL("https://exämple.com/?a=b#c"), params: new URLSearchParams("a=b"), pattern: new URLPattern({ pathname: "/:a" }).exec("https://x/b"),
    controller: new AbortController(), any: AbortSignal.any([AbortSignal.abort()]), event: new CustomEvent("a", { detail: {} }), exception: new DOMException("a", "DataCloneError"),
    file: new File(["a"], "b"), form: new FormData(), headers: new Headers({ a: "b" }), request: new Request("https://x"), response: new Response("a"), body: new Response("a").body,
    encoded: new TextEncoder().encode("a"), decoder: new TextDecoder("gbk"), stream, transform: new TransformStream(), writable: new WritableStream(), strategy: new CountQueuingStrategy({ highWaterMark: 1 }),
    encoderStream: new TextEncoderStream(), decoderStream: new TextDecoderStream(), compressionStream: new CompressionStream("gzip"),
    clone: structuredClone({ map: new Map([[1, new Set()]]), date: new Date(0), error: new RangeError("a"), bytes: new Uint8Array(1) }), iterator: new Headers().entries(), formIterator: new FormData().keys(),
    performance, navigator, console, random: crypto.getRandomValues(new Uint8Array(8)), digest: await crypto.subtle.digest("SHA-256", new Uint8Array(1)), key: await crypto.subtle.generateKey({ name: "AES-GCM", length: 128 }, true, ["encrypt"]),
    unzipped: await caught(() => new Response(new Blob(["no gzip"]).stream().pipeThrough(new DecompressionStream("gzip"))).text()),
    refused: await caught(() => fetch("https://example.com/")), noDomain: await caught(() => new URL("https://\\u00ad/")), noKey: await caught(() => crypto.subtle.importKey("raw", new Uint8Array(3), "AES-GCM", true, ["encrypt"])),
    quota: await caught(() => crypto.getRandomValues(new Uint8Array(70000))), encoding: await caught(() => new TextDecoder("nonsense")), uncloneable: await caught(() => structuredClone(() => 1)), noBase64: await caught(() => atob("=")),
    read: await stream.getReader({ mode: "byob" }).read(new Uint8Array(4)), inside, timer: setTimeout(() => undefined, 1), promise: caught(async () => 1),
  };`;

test("no global, no prototype and nothing that a use of them gives leads out of the guest's own realm", async () => {
  const { seen, functions, foreign } = (await inGuest(`${MAKE}${WALK}`)) as { seen: number; functions: number; foreign: string[] };
  assert.deepEqual(foreign, []);
  assert.ok(seen > 1300 && functions > 900, `${seen} objects, ${functions} functions`);
});

test("a package that changes prototypes first is still handed nothing of another realm", async () => {
  const poison = `
    const leaked = new Set();
    const { add } = Set.prototype;
    const { apply, defineProperty } = Reflect;
    const note = (value) => { if ((typeof value === "object" && value !== null) || typeof value === "function") apply(add, leaked, [value]); };
    const patched = [Object.prototype, Array.prototype, Function.prototype, Promise.prototype, Map.prototype, Uint8Array.prototype.__proto__, String.prototype];
    for (const prototype of patched) {
      for (const key of ["call", "apply", "bind", "then", "push", "set", "get", "slice", "subarray", "toString"]) {
        const original = prototype[key];
        if (!Object.hasOwn(prototype, key) || typeof original !== "function") continue;
        defineProperty(prototype, key, { configurable: true, writable: true, value(...args) { note(this); for (let at = 0; at < args.length; at += 1) note(args[at]); return apply(original, this, args); } });
      }
    }
    for (const key of ["code", "type", "0"])
      defineProperty(Object.prototype, key, { configurable: true, get() { note(this); }, set(value) { note(this); note(value); defineProperty(this, key, { value, writable: true, configurable: true, enumerable: true }); } });`;
  const got = await inGuest(`${poison}
    for (const act of [() => new URL("https://exämple.com/"), () => crypto.getRandomValues(new Uint8Array(4)), () => crypto.subtle.digest("SHA-1", new Uint8Array(4)), () => new Response("a").text(), () => fetch("https://x/"),
      () => structuredClone({ a: [new Map()] }), () => new Response(new Blob(["a"]).stream().pipeThrough(new CompressionStream("gzip"))).bytes(), () => context.storage.get("a")])
      try { await act(); } catch (error) { note(error); }
    for (const key of ["code", "type", "0"]) delete Object.prototype[key];
    const foreign = [...leaked].filter((value) => !(value instanceof Object) && Object.getPrototypeOf(value) !== null);
    return { leaked: leaked.size > 0, foreign: foreign.length };`);
  assert.deepEqual(got, { leaked: true, foreign: 0 });
});
