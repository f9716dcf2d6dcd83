import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { setNative, setNativeLimits } from "../../../runtime-api/guest/native.ts";
import { decodeBase64 } from "../../../runtime-api/guest/web/base64.ts";
import { deserialize } from "../../../runtime-api/guest/web/clone/deserialize.ts";
import { serialize } from "../../../runtime-api/guest/web/clone/serialize.ts";
import { TextDecoder as GuestDecoder, TextEncoder as GuestEncoder } from "../../../runtime-api/guest/web/encoding.ts";
import { Headers as GuestHeaders } from "../../../runtime-api/guest/web/headers.ts";
import { URLSearchParams as GuestParams } from "../../../runtime-api/guest/web/url/search-params.ts";
import { URL as GuestUrl } from "../../../runtime-api/guest/web/url/url.ts";
import { Natives } from "../../../src/keeper/natives/natives.ts";

// The guest's platform against Node's own, both in this realm, on whatever fast-check thinks of.
const natives = new Natives();
natives.limits = { nativeBytes: 1024 * 1024, nativeStreamCount: 8, deriveCount: 1000 };
setNative(natives.call);
setNativeLimits(natives.limits);

const OwnParams = GuestParams as unknown as typeof URLSearchParams;
const OwnHeaders = GuestHeaders as unknown as typeof Headers;

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

// Pieces that a URL parser takes for something, and pieces that it does not expect.
const urlPiece = fc.oneof(
  fc.constantFrom(
    "http:",
    "https://",
    "file:",
    "ws://",
    "mailto:",
    "a:",
    "//",
    "/",
    "\\",
    "..",
    ".",
    "%2e",
    "%",
    "%zz",
    "?",
    "#",
    "@",
    ":",
    "::",
    "[",
    "]",
    "[::1]",
    "[1::8:0:0]",
  ),
  fc.constantFrom(
    "example.com",
    "EXAMPLE",
    "127.1",
    "0x7f.0.0.1",
    "256.1",
    "1.2.3.4.5",
    "xn--mnchen-3ya",
    "xn--a",
    "é",
    "ﬃ",
    "\u00ad",
    "a\u0338",
    "<",
    "|",
    "C:",
    "C|",
    "localhost",
    "user",
    "pw",
    "80",
    "443",
    "65536",
  ),
  fc.constantFrom(" ", "\t", "\n", "'", '"', "`", "{", "}", "^", "~", "\u0000", "\u{1f600}", "\ud800", "&a=b", "+", ";", ","),
  fc.string({ maxLength: 3 }),
);
const urlText = fc.array(urlPiece, { maxLength: 8 }).map((pieces) => pieces.join(""));
const PARTS = ["href", "protocol", "username", "password", "host", "hostname", "port", "pathname", "search", "hash"] as const;

test("URL reads whatever text as Node does, alone and on a base", () => {
  fc.assert(
    fc.property(urlText, fc.option(urlText, { nil: undefined }), (text, base) => {
      const read = (Made: typeof URL): unknown => attempt(() => PARTS.map((part) => new Made(text, base)[part]));
      assert.deepEqual(read(GuestUrl as unknown as typeof URL), read(URL), JSON.stringify([text, base]));
    }),
    { numRuns: 50_000 },
  );
});

test("the parts of a URL are set as in Node", () => {
  const base = fc.constantFrom(
    "https://u:p@example.com:8080/a/b?c#d",
    "file:///C:/a",
    "mailto:x ?y",
    "a://b/c",
    "a:/b",
    "ftp://x",
    "blob:https://a/b",
  );
  fc.assert(
    fc.property(base, fc.array(fc.tuple(fc.constantFrom(...PARTS), urlText), { minLength: 1, maxLength: 3 }), (text, changes) => {
      const change = (Made: typeof URL): unknown => {
        const url = new Made(text);
        // By the standard a tab in `search` is no part of the URL, and is one of its parameters; in Node it is neither.
        const hasTab = changes.some(([part, value]) => part === "search" && /[\t\n\r]/u.test(value));
        return changes.map(([part, value]) => attempt(() => [(url[part] = value), url.href, url.origin, hasTab || [...url.searchParams]]));
      };
      assert.deepEqual(change(GuestUrl as unknown as typeof URL), change(URL), JSON.stringify([text, changes]));
    }),
    { numRuns: 50_000 },
  );
});

test("search parameters are read and written as in Node", () => {
  fc.assert(
    // Where a text is past ASCII and holds a stray percent sign, Node cuts its characters to bytes.
    fc.property(
      urlText.map((text) => text.replace(/[^\u0000-\u007f]/gu, "-")),
      (text) => {
        const [own, other] = [new OwnParams(text), new URLSearchParams(text)];
        assert.deepEqual([...own], [...other]);
        assert.equal(String(own), String(other));
        own.sort();
        other.sort();
        assert.deepEqual([...own], [...other]);
      },
    ),
    { numRuns: 20_000 },
  );
});

test("TextDecoder decodes whatever bytes as Node does, whole and in parts, fatal or not", () => {
  fc.assert(
    fc.property(bytes, fc.nat(16), fc.boolean(), fc.boolean(), (given, cut, fatal, ignoreBOM) => {
      // A mark that a malformed byte stands before is no mark. In parts Node takes it for one at times.
      fc.pre(cut === 0 || Buffer.from(given).indexOf("efbbbf", "hex") <= 0);
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

test("base64 is read as Node reads it", () => {
  const text = fc.array(fc.constantFrom("A", "b", "9", "+", "/", "=", " ", "\n", "-", "é"), { maxLength: 9 }).map((list) => list.join(""));
  fc.assert(
    fc.property(text, (given) => {
      const nodes = attempt(() => [atob(given)]);
      assert.deepEqual(decodeBase64(given), Array.isArray(nodes) ? nodes[0] : null, given);
    }),
    { numRuns: 20_000 },
  );
});

test("whatever data is cloned as Node clones it", () => {
  fc.assert(
    fc.property(
      fc.anything({
        withBigInt: true,
        withDate: true,
        withMap: true,
        withSet: true,
        withTypedArray: true,
        withSparseArray: true,
        withBoxedValues: true,
        withNullPrototype: true,
      }),
      (value) => {
        assert.deepEqual(deserialize(serialize(value, new Map())), structuredClone(value));
      },
    ),
    { numRuns: 10_000 },
  );
});

test("Headers keep, combine, order and refuse as Node's do", () => {
  const name = fc.constantFrom("a", "B", "set-cookie", "Set-Cookie", "Content-Type", "x", "", "a b", "ä");
  const value = fc.constantFrom("1", " 2 ", "", "x, y", "\tz", "a\nb", "\u0000", "\u0100", "\u00ff");
  const step = fc.tuple(fc.constantFrom("append", "set", "delete", "get", "has"), name, value);
  fc.assert(
    fc.property(fc.array(step, { maxLength: 12 }), (steps) => {
      const [own, other] = [new OwnHeaders(), new Headers()];
      for (const [op, key, text] of steps) {
        const run = (headers: Headers): unknown => attempt(() => headers[op as "set"](key, text));
        assert.equal(run(own), run(other), `${op} ${key} ${text}`);
      }
      assert.deepEqual([...own], [...other]);
      assert.deepEqual(own.getSetCookie(), other.getSetCookie());
    }),
    { numRuns: 5000 },
  );
});
