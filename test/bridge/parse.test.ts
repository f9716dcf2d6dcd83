import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { BridgeError, parseFailure, parseLimit, parseLog, parseProgress, parseResult } from "../../src/bridge/parse.ts";

const BOUNDS = { depthCount: 4, valueCount: 10 };
const HEAD = '{"text":"t","summary":null,"images":[],"left":0}';
const result = (body: Buffer): unknown => parseResult(body, BOUNDS);

describe("a body that fits its message is read", () => {
  for (const [what, parse, body, expected] of [
    ["RESULT", result, `${HEAD}\nnull`, { head: { text: "t", summary: null, images: [], left: 0 }, payload: null }],
    [
      "RESULT with a picture",
      result,
      '{"text":"","summary":"s","images":[{"mediaType":"a","data":"b","forOwner":true}],"left":7}\n{"a":[1]}',
      { head: { text: "", summary: "s", images: [{ mediaType: "a", data: "b", forOwner: true }], left: 7 }, payload: { a: [1] } },
    ],
    [
      "FAILURE",
      parseFailure,
      '{"kind":"load","message":"m","retryable":false,"stack":null}',
      { kind: "load", message: "m", retryable: false, stack: null },
    ],
    ["PROGRESS", parseProgress, '[0.5,"half"]', { fraction: 0.5, detail: "half" }],
    ["PROGRESS that does not know how far it is", parseProgress, '[null,""]', { fraction: null, detail: "" }],
    ["LOG", parseLog, '["warn","w"]', { level: "warn", message: "w" }],
    ["LIMIT", parseLimit, '{"limit":"memory","stopped":false}', { limit: "memory", stopped: false }],
  ] as const) {
    test(what, () => assert.deepEqual(parse(Buffer.from(body)), expected));
  }
});

describe("a body that does not fit is refused", () => {
  const malformed = {
    RESULT: [
      result,
      [
        "",
        "\n",
        HEAD,
        "null\nnull",
        "[]\nnull",
        `${HEAD}\n`,
        `${HEAD}\nundefined`,
        `${HEAD}\n{"a":1}}`,
        '{"text":1,"summary":null,"images":[],"left":0}\nnull',
        '{"summary":null,"images":[],"left":0}\nnull',
        '{"text":"","summary":5,"images":[],"left":0}\nnull',
        '{"text":"","images":[],"left":0}\nnull',
        '{"text":"","summary":null,"images":{},"left":0}\nnull',
        '{"text":"","summary":null,"images":[1],"left":0}\nnull',
        '{"text":"","summary":null,"images":[{"mediaType":"a","data":1,"forOwner":true}],"left":0}\nnull',
        '{"text":"","summary":null,"images":[{"mediaType":"a","data":"b"}],"left":0}\nnull',
        `{"text":"","summary":null,"images":[${'{"mediaType":"a","data":"b","forOwner":true},'.repeat(1024)}{"mediaType":"a","data":"b","forOwner":true}],"left":0}\nnull`,
        '{"text":"","summary":null,"images":[],"left":-1}\nnull',
        '{"text":"","summary":null,"images":[],"left":0.5}\nnull',
        '{"text":"","summary":null,"images":[],"left":"0"}\nnull',
        '{"text":"","summary":null,"images":[]}\nnull',
        `${HEAD}\n[[[[[]]]]]`,
        `${HEAD}\n${JSON.stringify(Array.from({ length: 40 }, () => 1))}`,
      ],
    ],
    FAILURE: [
      parseFailure,
      [
        "",
        "null",
        "[]",
        '"load"',
        '{"kind":"unheard","message":"m","retryable":false,"stack":null}',
        '{"kind":"toString","message":"m","retryable":false,"stack":null}',
        '{"kind":["load"],"message":"m","retryable":false,"stack":null}',
        '{"kind":"load","retryable":false,"stack":null}',
        '{"kind":"load","message":{},"retryable":false,"stack":null}',
        '{"kind":"load","message":"m","retryable":1,"stack":null}',
        '{"kind":"load","message":"m","retryable":false}',
        '{"kind":"load","message":"m","retryable":false,"stack":{}}',
      ],
    ],
    PROGRESS: [
      parseProgress,
      ["", "null", "{}", "[]", "[0.5]", '[1.1,""]', '[-0.1,""]', '["0.5",""]', "[0.5,null]", "[0.5,{}]", '[true,""]', '[[],""]'],
    ],
    LOG: [parseLog, ["", "null", "{}", "[]", '["info"]', '["fatal","m"]', '["constructor","m"]', '["info",1]', '[["info"],"m"]']],
    LIMIT: [
      parseLimit,
      [
        "",
        "null",
        "[]",
        "{}",
        '{"limit":"cpu"}',
        '{"limit":"time","stopped":true}',
        '{"limit":"cpu","stopped":"yes"}',
        '{"limit":["cpu"],"stopped":true}',
      ],
    ],
  } as const;
  for (const [message, [parse, bodies]] of Object.entries(malformed)) {
    for (const body of bodies) {
      test(`${message} ${JSON.stringify(body.slice(0, 80))}`, () => assert.throws(() => parse(Buffer.from(body)), BridgeError));
    }
  }
});

describe("a RESULT's payload", () => {
  test("of exactly as many levels and values is read", () => {
    assert.deepEqual(parseResult(Buffer.from(`${HEAD}\n[[[[1]]]]`), BOUNDS).payload, [[[[1]]]]);
    assert.deepEqual(parseResult(Buffer.from(`${HEAD}\n[1,2,3,4,5,6,7,8,9]`), BOUNDS).payload, [1, 2, 3, 4, 5, 6, 7, 8, 9]);
  });

  test("has no half characters, in values as in keys", () => {
    const { payload } = parseResult(Buffer.from(`${HEAD}\n{"k\\ud800":["v\\udc00"],"ok":"\\ud83d\\ude00"}`), BOUNDS);
    assert.deepEqual(payload, { "k\ufffd": ["v\ufffd"], ok: "\u{1f600}" });
  });

  test("keeps a key named `__proto__` as a key", () => {
    const { payload } = parseResult(Buffer.from(`${HEAD}\n{"__proto__":{"polluted":true},"\\ud800":1}`), BOUNDS);
    assert.ok(Object.hasOwn(payload as object, "__proto__"));
    assert.equal(Object.hasOwn(Object.prototype, "polluted"), false);
    assert.equal((payload as { polluted?: unknown }).polluted, undefined);
  });
});
