import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { TextDecoder as GuestDecoder, TextEncoder as GuestEncoder } from "../../../runtime-api/guest/encoding.ts";
import { Headers as GuestHeaders } from "../../../runtime-api/guest/headers.ts";
import { Request as GuestRequest } from "../../../runtime-api/guest/request.ts";
import { Response as GuestResponse } from "../../../runtime-api/guest/response.ts";
import { AbortController as GuestController, AbortSignal as GuestSignal } from "../../../runtime-api/guest/signal.ts";
import { ReadableStream as GuestStream } from "../../../runtime-api/guest/stream.ts";

// The guest's half of the platform against Node's own, in this realm.
function attempt(act: () => unknown): unknown {
  try {
    return act();
  } catch (error) {
    return (error as Error).name;
  }
}

const byte = fc.oneof(
  fc.nat(255),
  fc.integer({ min: 0x80, max: 0xbf }),
  fc.integer({ min: 0xe0, max: 0xf7 }),
  fc.constantFrom(0xef, 0xbb, 0xbf),
);
const bytes = fc.array(byte, { maxLength: 16 }).map((list) => Uint8Array.from(list));

test("TextDecoder decodes whatever bytes as Node does, whole and in parts, fatal or not", () => {
  fc.assert(
    fc.property(bytes, fc.nat(16), fc.boolean(), fc.boolean(), (given, cut, fatal, ignoreBOM) => {
      const options = { fatal, ignoreBOM };
      const whole = (Decoder: typeof TextDecoder): unknown => attempt(() => new Decoder("utf-8", options).decode(given));
      const parts = (Decoder: typeof TextDecoder): unknown =>
        attempt(() => {
          const decoder = new Decoder("utf-8", options);
          return decoder.decode(given.subarray(0, cut), { stream: true }) + decoder.decode(given.subarray(cut));
        });
      const own = GuestDecoder as unknown as typeof TextDecoder;
      assert.equal(whole(own), whole(TextDecoder));
      assert.equal(parts(own), parts(TextDecoder));
    }),
    { numRuns: 20_000 },
  );
});

test("TextEncoder encodes whatever text as Node does", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), fc.nat(20), (head, size) => {
      const text = `${head}\ud800`;
      assert.deepEqual(new GuestEncoder().encode(text), new TextEncoder().encode(text));
      const [own, other] = [new Uint8Array(size), new Uint8Array(size)];
      assert.deepEqual(new GuestEncoder().encodeInto(text, own), new TextEncoder().encodeInto(text, other));
      assert.deepEqual(own, other);
    }),
    { numRuns: 5000 },
  );
});

test("Headers keep, combine, order and refuse as Node's do", () => {
  const name = fc.constantFrom("a", "B", "set-cookie", "Set-Cookie", "Content-Type", "x", "", "a b", "ä");
  const value = fc.constantFrom("1", " 2 ", "", "x, y", "\tz", "a\nb", "\u0000", "\u0100", "\u00ff");
  const step = fc.tuple(fc.constantFrom("append", "set", "delete", "get", "has"), name, value);
  fc.assert(
    fc.property(fc.array(step, { maxLength: 12 }), (steps) => {
      const [own, other] = [new GuestHeaders(), new Headers()];
      for (const [op, key, text] of steps) {
        const run = (headers: Headers): unknown => attempt(() => headers[op as "set"](key, text));
        assert.equal(run(own as unknown as Headers), run(other), `${op} ${key} ${text}`);
      }
      assert.deepEqual([...own], [...other]);
      assert.deepEqual(own.getSetCookie(), other.getSetCookie());
    }),
    { numRuns: 5000 },
  );
  for (const init of [null, 1, "ab", [["a"]], [["a", "b", "c"]], { a: "\n" }, [["a", "b"]], new Map([["a", "b"]]), { A: 1 }]) {
    assert.deepEqual(
      attempt(() => [...new GuestHeaders(init)]),
      attempt(() => [...new Headers(init as never)]),
      JSON.stringify(init),
    );
  }
});

test("a response is made, read once, cloned and refused as Node's is", async () => {
  const response = new GuestResponse("héllo");
  const copy = response.clone();
  assert.equal(response.headers.get("content-type"), "text/plain;charset=UTF-8");
  assert.equal(await response.text(), "héllo");
  assert.equal(response.bodyUsed, true);
  assert.equal(await copy.text(), "héllo");
  await assert.rejects(response.text(), TypeError);
  assert.throws(() => response.clone(), TypeError);
  assert.deepEqual(await GuestResponse.json({ a: 1 }).json(), { a: 1 });
  assert.equal(GuestResponse.json(1).headers.get("content-type"), "application/json");
  for (const [body, init] of [
    ["x", { status: 204 }],
    [null, { status: 199 }],
    [null, { status: 600 }],
    [null, { statusText: "a\nb" }],
    [null, { status: 204 }],
    ["x", { status: 404 }],
  ] as const) {
    assert.equal(
      attempt(() => new GuestResponse(body, init).status),
      attempt(() => new Response(body, init).status),
      JSON.stringify(init),
    );
  }
  assert.equal(GuestResponse.error().status, 0);
  assert.throws(() => GuestResponse.redirect("/", 303).headers.set("a", "b"), TypeError);
  assert.throws(() => GuestResponse.redirect("/", 200), RangeError);
});

test("a request is made, cloned and refused as Node's is", async () => {
  const request = new GuestRequest("http://a.com/", { method: "post", body: "é" });
  const copy = request.clone();
  assert.deepEqual([request.method, await request.text(), await copy.text()], ["POST", "é", "é"]);
  assert.equal(copy.headers.get("content-type"), "text/plain;charset=UTF-8");
  for (const init of [
    { method: "TRACE" },
    { body: "a" },
    { method: "a b" },
    { method: "patch" },
    { redirect: "x" },
    { signal: {} },
    { method: "HEAD", body: "x" },
  ]) {
    const made = (Made: typeof Request): unknown => attempt(() => new Made("http://a.com/", init as never).method);
    assert.equal(made(GuestRequest as unknown as typeof Request), made(Request), JSON.stringify(init));
  }
});

test("a stream is read, cancelled, split, iterated and fails as it should", async () => {
  const chunks = ["a", "bc"].map((text) => new TextEncoder().encode(text));
  const make = (): GuestStream =>
    new GuestStream({
      start(controller) {
        for (const chunk of chunks) controller.enqueue(chunk);
        controller.close();
      },
    });
  assert.equal(await new GuestResponse(make()).text(), "abc");
  const [one, two] = make().tee();
  assert.deepEqual(await Promise.all([new GuestResponse(one).text(), new GuestResponse(two).text()]), ["abc", "abc"]);
  const cancelled: unknown[] = [];
  const endless = new GuestStream({ pull: (controller) => controller.enqueue(1), cancel: (reason) => void cancelled.push(reason) });
  for await (const chunk of endless as unknown as AsyncIterable<unknown>) if (chunk === 1) break;
  assert.equal(endless.locked, false);
  assert.equal(cancelled.length, 1);
  const failing = new GuestStream({ pull: () => Promise.reject(new Error("broken")) });
  const reader = failing.getReader();
  assert.throws(() => failing.getReader(), TypeError);
  await assert.rejects(reader.read(), /broken/u);
  await assert.rejects(reader.closed, /broken/u);
  await assert.rejects(new GuestResponse(new GuestStream({ pull: (controller) => controller.enqueue("no bytes") })).text(), TypeError);
});

test("an abort reaches its own listeners and those that follow, once, in order", () => {
  const controller = new GuestController();
  const seen: string[] = [];
  const joint = GuestSignal.any([controller.signal, GuestSignal.any([])]);
  controller.signal.addEventListener("abort", () => seen.push(`own ${joint.aborted}`), { once: true });
  controller.signal.addEventListener("abort", { handleEvent: () => seen.push("object") });
  const removed = (): number => seen.push("removed");
  controller.signal.addEventListener("abort", removed);
  controller.signal.removeEventListener("abort", removed);
  controller.signal.addEventListener("abort", () => {
    throw new Error("stops nobody");
  });
  joint.addEventListener("abort", () => seen.push("joint"));
  // oxlint-disable-next-line unicorn/prefer-add-event-listener -- the handler is what is tried
  controller.signal.onabort = () => seen.push("handler");
  controller.abort();
  controller.abort("again");
  assert.deepEqual(seen, ["handler", "own true", "object", "joint"]);
  assert.equal((joint.reason as Error).name, "AbortError");
  assert.equal((joint.reason as { code: number }).code, 20);
  assert.ok(joint.reason instanceof Error);
  assert.throws(() => new GuestSignal(), TypeError);
  assert.throws(() => GuestSignal.any([{}]), TypeError);
  assert.equal(GuestSignal.abort(5).reason, 5);
});
