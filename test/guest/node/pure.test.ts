import { sameAsNode } from "./as-node.ts";

sameAsNode(["path"], {
  "joins, resolves and takes apart POSIX paths": ({ path }) => {
    const paths = ["/a/b/../c.txt", "a//b/./c.d.e", "", ".", "..", "/", "a\\b", ".hidden", "/x/.y.z", "a/b/"];
    return paths.map((one) => [
      path.normalize(one),
      path.join("/root", one, "../z"),
      path.resolve("/base", one),
      path.basename(one, ".txt"),
      path.dirname(one),
      path.extname(one),
      path.parse(one),
      path.format(path.parse(one)),
      path.isAbsolute(one),
      path.relative("/a/x", path.resolve("/a", one)),
    ]);
  },
  "joins, resolves and takes apart Windows paths": ({ path }) =>
    ["C:\\a\\..\\b", "\\\\server\\share\\x", "C:x", "c:/a/b", "a\\b/c", "\\\\?\\C:\\x"].map((one) => [
      path.win32.normalize(one),
      path.win32.join(one, "..\\z"),
      path.win32.resolve("C:\\base", one),
      path.win32.parse(one),
      path.win32.relative("C:\\a", path.win32.resolve("C:\\a", one)),
      path.win32.isAbsolute(one),
    ]),
  "refuses what is no text": ({ path }) => path.join("a", 1),
  "knows its own shape": ({ path }) => [path.sep, path.delimiter, path.posix === path, path.win32.sep, Object.keys(path).sort()],
});

sameAsNode(["querystring"], {
  "parses and writes queries": ({ querystring }) => [
    querystring.parse("a=1&b=2&a=3&c=%20x+y&d&=e&%E4=%zz"),
    querystring.stringify({ a: [1, "b c", true], d: "é&=", e: null, f: 1n, g: Number.NaN }),
    querystring.parse("a:1;b:2", ";", ":"),
    querystring.escape("ä b"),
    querystring.unescape("%C3%A4+b"),
  ],
});

sameAsNode(["url"], {
  "takes addresses apart": ({ url }) =>
    [
      "http://user:pa%20ss@Host.Com:80/p/a?q=1&r#h",
      "//x/y",
      "mailto:a@b.c",
      "javascript:alert(1)",
      "/a?b",
      "http://ex ample/",
      "a:b:c",
    ].map((one) => {
      try {
        return { ...url.parse(one, true, true) };
      } catch (error) {
        return (error as { code: string }).code;
      }
    }),
  "puts addresses together": ({ url }) => [
    url.format({ protocol: "http", host: "a.b", pathname: "x y", query: { q: 1 } }),
    url.resolve("http://a.b/c/d?e", "../f#g"),
    url.format(new URL("http://u:p@a.b/x?y#z"), { auth: false, fragment: false }),
  ],
  "turns file addresses into paths and back": ({ url }) => [
    url.fileURLToPath("file:///a%20b/%C3%A4.txt"),
    url.pathToFileURL("/a b/#%?\\x.txt").href,
    url.urlToHttpOptions(new URL("http://u:p@[::1]:8080/x?y#z")).path,
  ],
  "refuses addresses that are no files": ({ url }) => url.fileURLToPath("http://x/y"),
});

sameAsNode(["punycode"], {
  "encodes and decodes": ({ punycode }) => [
    punycode.toASCII("mañana.com"),
    punycode.toUnicode("xn--maana-pta.com"),
    punycode.encode("bücher"),
  ],
});

sameAsNode(["assert", "assert/strict"], {
  "tells deep equality as strictly as it was asked": ({ assert }) => {
    const pairs = [
      [{ a: 1 }, { a: "1" }],
      [
        [1, , 3],
        [1, undefined, 3],
      ],
      [new Map([[{}, 1]]), new Map([[{}, 1]])],
      [new Set([1, [2]]), new Set([[2], 1])],
      [/a/g, /a/i],
      [new Date(1), new Date(1)],
      [Number.NaN, Number.NaN],
      [0, -0],
      [new Error("a"), new Error("b")],
      [Object.create({ x: 1 }), {}],
      [new Uint8Array([1]), new Uint8Array([1])],
      [new Uint8Array([1]), [1]],
      [Object(1n), Object(1n)],
      [Symbol.iterator, Symbol.iterator],
    ];
    const holds = (check: (one: unknown, other: unknown) => void, [one, other]: unknown[]): boolean => {
      try {
        check(one, other);
        return true;
      } catch {
        return false;
      }
    };
    return pairs.map((pair) => [holds(assert.deepEqual, pair), holds(assert.deepStrictEqual, pair), holds(assert.equal, pair)]);
  },
  "says what differs": ({ assert }) => assert.deepStrictEqual({ a: 1, b: [1, 2, { c: 3 }] }, { a: 1, b: [1, 2, { c: 4 }] }),
  "says which values differ": ({ assert }) => assert.strictEqual("one line", "another line"),
  "says what did not match": ({ assert }) => assert.match("abc", /x/),
  "says that nothing was thrown": ({ assert }) => assert.throws(() => undefined, TypeError),
  "holds what was thrown against what was expected": ({ assert }) =>
    assert.throws(
      () => {
        throw new TypeError("wrong");
      },
      { name: "TypeError", message: "right" },
    ),
  "waits for a rejection": ({ assert }) => assert.rejects(Promise.resolve(1)),
  "is strict by its other name": (modules) => modules["assert/strict"].equal(1, "1"),
  "takes a message of the caller's": ({ assert }) => assert.ok(false, "said so"),
});

sameAsNode(["events"], {
  "calls listeners in order, once where asked": ({ events }) => {
    const heard: unknown[] = [];
    const emitter = new events.EventEmitter();
    emitter.on("x", (value: unknown) => heard.push(["on", value]));
    emitter.prependListener("x", () => heard.push("first"));
    emitter.once("x", () => heard.push("once"));
    emitter.on("newListener", (name: string) => heard.push(["new", name]));
    emitter.on("y", () => undefined);
    return [emitter.emit("x", 1), emitter.emit("x", 2), emitter.emit("none"), heard, emitter.eventNames(), emitter.listenerCount("x")];
  },
  "throws an error that nobody listens to": ({ events }) => new events().emit("error", new RangeError("unheard")),
  "says what was thrown where it is no error": ({ events }) => new events().emit("error", { a: 1 }),
  "refuses a listener that is no function": ({ events }) => new events().on("x", "no function"),
  "is a constructor that old code can call": ({ events, util }) => {
    function Old(this: unknown): void {
      events.call(this);
    }
    Object.setPrototypeOf(Old.prototype, events.prototype);
    void util;
    // oxlint-disable-next-line typescript/no-explicit-any -- a class as one wrote them before there were classes
    const old = new (Old as any)();
    let heard = 0;
    old.on("x", () => (heard += 1));
    old.emit("x");
    return [heard, old instanceof events, events === events.EventEmitter, events.defaultMaxListeners];
  },
  "waits for an event once, and for all of them": async ({ events }) => {
    const emitter = new events();
    setTimeout(() => emitter.emit("a", 1, 2), 0);
    const once = await events.once(emitter, "a");
    const seen: unknown[] = [];
    setTimeout(() => ["x", "y", "z"].forEach((value) => emitter.emit("b", value)), 0);
    for await (const [value] of events.on(emitter, "b")) {
      seen.push(value);
      if (value === "z") break;
    }
    return [once, seen, emitter.listenerCount("b")];
  },
  "gives up waiting when a signal says so": async ({ events }) => {
    const controller = new AbortController();
    const waiting = events.once(new events(), "never", { signal: controller.signal });
    controller.abort();
    return await waiting;
  },
  "catches what a listener rejects": async ({ events }) => {
    const emitter = new events({ captureRejections: true });
    const caught = new Promise((resolve) => emitter.on("error", (error: Error) => resolve(error.message)));
    emitter.on("x", async () => {
      throw new Error("rejected");
    });
    emitter.emit("x");
    return await caught;
  },
});

sameAsNode(["diagnostics_channel"], {
  "tells who subscribes": ({ diagnostics_channel }) => {
    const heard: unknown[] = [];
    const listener = (message: unknown, name: string): unknown => heard.push([message, name]);
    const channel = diagnostics_channel.channel("one");
    diagnostics_channel.subscribe("one", listener);
    channel.publish({ a: 1 });
    diagnostics_channel.unsubscribe("one", listener);
    channel.publish({ a: 2 });
    return [heard, channel.hasSubscribers, diagnostics_channel.tracingChannel("t").traceSync(() => "traced")];
  },
});
