import { sameAsNode } from "./as-node.ts";

sameAsNode(["util"], {
  "shows values": ({ util }) => {
    class Point {
      x = 1;
      readonly #hidden = 2;
      get sum(): number {
        return this.x + this.#hidden;
      }
    }
    const circular: Record<string, unknown> = { name: "c" };
    circular["self"] = circular;
    const values = [
      { a: 1, b: "two", c: [1, 2, { d: { e: { f: 1 } } }] },
      new Map<unknown, unknown>([["k", { v: 1 }]]),
      new Set([1, "a"]),
      new Point(),
      circular,
      [undefined, null, Number.NaN, -0, 1n, Symbol("s")],
      /x/g,
      new Date(0),
      new Uint8Array(3),
      new ArrayBuffer(2),
      () => 1,
      async () => 1,
      class A extends Point {},

      new WeakMap(),
      Object.create(null),
      [, 1],
      "it's",
      Array.from({ length: 120 }, (_, at) => at),
      {
        [Symbol("k")]: 1,
        get g() {
          return 1;
        },
        set g(value) {
          void value;
        },
      },
      (function* () {})(),
      Object("boxed"),
      { [util.inspect.custom]: () => "custom" },
    ];
    return values.map((value) => [util.inspect(value), util.inspect(value, { depth: 0, compact: false, colors: true, showHidden: true })]);
  },
  "shows errors with their causes": ({ util }) => {
    const error = new TypeError("outer", { cause: new Error("inner") });
    error.stack = "TypeError: outer\n    at somewhere";
    (error.cause as Error).stack = "Error: inner\n    at elsewhere";
    return util.inspect(Object.assign(error, { code: "E_CODE" }));
  },
  "fills formats": ({ util }) => [
    util.format("%s %d %i %f %j %o %O %c %% %x", "a", 1.5, 2.9, "3.5", { j: 1 }, { o: [1] }, { O: 1 }, "css", "rest", 5),
    util.format("no more", { a: 1 }, "b"),
    util.format(1, 2, "3"),
    util.format("%s", null, undefined, 5n, Symbol("x"), () => 1),
    util.formatWithOptions({ compact: false }, "%O", { a: { b: 1 } }),
  ],
  "makes promises of callbacks and callbacks of promises": async ({ util }) => {
    const late = (value: number, done: (error: Error | null, value?: number) => void): void =>
      void setTimeout(() => (value < 0 ? done(new Error("negative")) : done(null, value * 2)), 0);
    const promised = util.promisify(late);
    const back = util.callbackify(async (value: number) => {
      if (value === 0) throw null;
      return value + 1;
    });
    const called = (value: number): Promise<unknown> =>
      new Promise((resolve) =>
        back(value, (error: (Error & { code: string }) | null, result: number) => resolve([error?.code, error?.message, result])),
      );
    return [await promised(4), await promised(-1).catch((error: Error) => error.message), await called(1), await called(0), promised.name];
  },
  "tells values apart by what they are": ({ util }) => {
    const values = [
      new Map(),
      new Set(),
      new Date(),
      /x/,
      new Error("e"),
      Promise.resolve(),
      new WeakSet(),
      new ArrayBuffer(1),
      new DataView(new ArrayBuffer(1)),
    ];
    const more = [
      new Uint8Array(1),
      new Float32Array(1),
      Object(1),
      Object("s"),
      Object(Symbol()),
      async () => 1,
      function* () {},
      (function* () {})(),
      new Map().keys(),
    ];
    const fakes = [
      { [Symbol.toStringTag]: "Map" },
      Object.create(Date.prototype),
      Object.assign(/x/, { [Symbol.toStringTag]: "No" }),
      {},
      null,
      1,
      "s",
    ];
    const names = Object.keys(util.types).filter((name) => !/External|Proxy|KeyObject|CryptoKey|EventTarget|SharedArrayBuffer/.test(name));
    return [...values, ...more, ...fakes].map((value) => names.filter((name) => util.types[name](value)).sort());
  },
  "compares deeply": ({ util }) => [
    util.isDeepStrictEqual({ a: [1, new Map([[1, 2]])] }, { a: [1, new Map([[1, 2]])] }),
    util.isDeepStrictEqual([0], [-0]),
    util.isDeepStrictEqual(new Set([{}]), new Set([{}])),
  ],
  "lets old classes inherit": ({ util }) => {
    // oxlint-disable-next-line typescript/no-explicit-any -- a class as one wrote them before there were classes
    const Child: any = function () {};
    util.inherits(Child, Map);
    return [Child.super_ === Map, new Child() instanceof Map];
  },
  "keeps what is deprecated at work": ({ util }) => {
    const old = util.deprecate((a: number, b: number) => a + b, "old", "DEP1");
    class Old {
      readonly value: number;
      constructor(value: number) {
        this.value = value;
      }
    }
    const OldOne = util.deprecate(Old, "old class");
    return [old(1, 2), old.length, new OldOne(3).value, new OldOne(3) instanceof Old];
  },
  "reads command lines": ({ util }) => [
    util.parseArgs({
      args: ["-v", "--name=x", "--tag", "a", "--tag", "b", "file"],
      options: { verbose: { type: "boolean", short: "v" }, name: { type: "string" }, tag: { type: "string", multiple: true } },
      allowPositionals: true,
    }).values,
    util.stripVTControlCharacters("\u001b[31mred\u001b[0m"),
    util.toUSVString("a\ud800"),
    `${new util.MIMEType("text/html; charset=utf-8")}`,
    util.parseEnv("A=1\nexport B=\"x\\ny\" # c\n# no\nC='q'\nD = bare # c"),
    util.getSystemErrorName(-2),
  ],
  "refuses a command line that it does not know": ({ util }) => util.parseArgs({ args: ["--no-such"], options: {} }),
  "decodes text": ({ util }) => [new util.TextDecoder().decode(new util.TextEncoder().encode("é"))],
  "waits for a signal": async ({ util }) => {
    const controller = new AbortController();
    setTimeout(() => controller.abort(), 0);
    await util.aborted(controller.signal, {});
    return controller.signal.aborted;
  },
});
