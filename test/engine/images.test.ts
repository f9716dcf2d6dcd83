import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { checkImages } from "../../src/engine/images.ts";

const limits = { imageCount: 8, imageBytes: 1024 };
const HEADS = {
  "image/png": "\x89PNG\r\n\x1a\n",
  "image/jpeg": "\xff\xd8\xff\xe0",
  "image/gif": "GIF89a",
  "image/webp": "RIFF\x10\x00\x00\x00WEBP",
} as const;

describe("a picture's type is told by its bytes", () => {
  for (const [mediaType, head] of Object.entries(HEADS)) {
    test(mediaType, () => assert.deepEqual(check(head, mediaType), [{ mediaType, data: base64(head), forOwner: false }]));
    test(`${mediaType}, whatever the tool calls it`, () => {
      const checked = check(head, "text/html");
      assert.ok(typeof checked !== "string");
      assert.equal(checked[0]?.mediaType, mediaType);
    });
  }
  test("an older GIF", () => assert.ok(Array.isArray(check("GIF87a", "image/gif"))));
});

describe("what is no picture is refused", () => {
  for (const [what, bytes] of [
    ["SVG", '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'],
    ["HTML", "<!doctype html>"],
    ["a RIFF file of another kind", "RIFF\x10\x00\x00\x00WAVEfmt "],
    ["the beginning of a PNG's head", "\x89PNG"],
    ["nothing", ""],
  ] as const) {
    test(what, () =>
      assert.match(faultOf([{ mediaType: "image/png", data: base64(bytes), forOwner: false }]), /Image 1 .*no PNG, JPEG, GIF or WebP/u),
    );
  }
});

describe("data that is no base64 is refused", () => {
  const png = base64(HEADS["image/png"]);
  for (const [what, data] of [
    ["a data URL", `data:image/png;base64,${png}`],
    ["base64url", `${png.slice(0, 8)}-_-_`],
    ["line breaks", `${png.slice(0, 4)}\n${png.slice(4)}AAA`],
    ["a length that is no multiple of four", png.slice(0, -1)],
    ["padding in the middle", `iVBO====${png.slice(4)}`],
  ] as const) {
    test(what, () => assert.match(faultOf([{ mediaType: "image/png", data, forOwner: false }]), /Image 1 .*not valid base64/u));
  }
});

test("a picture for the owner stays one", () => {
  const checked = checkImages([{ mediaType: "image/gif", data: base64("GIF89a"), forOwner: true }], limits);
  assert.ok(typeof checked !== "string");
  assert.equal(checked[0]?.forOwner, true);
});

test("a fault is told of the picture that has it", () => {
  const good = { mediaType: "image/gif", data: base64("GIF89a"), forOwner: false };
  assert.match(faultOf([good, { ...good, data: base64("BM") }]), /^Image 2/u);
});

function check(bytes: string, mediaType: string) {
  return checkImages([{ mediaType, data: base64(bytes), forOwner: false }], limits);
}

function faultOf(images: Parameters<typeof checkImages>[0]): string {
  const checked = checkImages(images, limits);
  return typeof checked === "string" ? checked : assert.fail("they are pictures");
}

function base64(bytes: string): string {
  return Buffer.from(bytes, "latin1").toString("base64");
}
