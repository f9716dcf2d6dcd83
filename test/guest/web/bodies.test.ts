import { testAsNode, testByStandard } from "./as-node.ts";

testAsNode("requests, responses and their bodies", {
  "every kind of body": `const kinds = { text: "é", bytes: new Uint8Array([1, 2]), view: new DataView(new ArrayBuffer(2)), buffer: new ArrayBuffer(1), blob: new Blob(["b"], { type: "A/B" }), bare: new Blob(["b"]), params: new URLSearchParams("a=b c"), number: 5, object: {}, stream: new Blob(["s"]).stream(), half: "\\ud800" }; const results = {}; for (const [name, body] of Object.entries(kinds)) { const response = new Response(body); results[name] = [response.headers.get("content-type"), await response.bytes()]; } return results;`,
  "a type that was given stays": `return new Response("a", { headers: { "Content-Type": "x/y" } }).headers.get("content-type");`,
  "read once": `const r = new Response("a"); const seen = [r.bodyUsed, await r.text(), r.bodyUsed]; await r.text().catch((e) => seen.push(e.name)); try { r.clone(); } catch (e) { seen.push(e.name); } return [seen, r.body.locked];`,
  "read through the stream": `const r = new Response("abc"); const reader = r.body.getReader(); const seen = [r.bodyUsed]; const { value } = await reader.read(); seen.push(value, r.bodyUsed); await r.text().catch((e) => seen.push(e.name)); reader.releaseLock(); await r.text().catch((e) => seen.push(e.name)); return seen;`,
  "no body": `const r = new Response(); return [r.body, r.bodyUsed, await r.text(), r.bodyUsed, await r.arrayBuffer(), (await new Response(null).blob()).size];`,
  clone: `const r = new Response(new Blob(["abc"]).stream(), { status: 201, headers: { a: "b" } }); const c = r.clone(); return [await c.text(), await r.text(), c.status, c.headers.get("a"), c !== r];`,
  "json and its faults": `const seen = [await new Response('{"a":[1]}').json()]; await new Response("{").json().catch((e) => seen.push(e.name)); return seen;`,
  "a byte order mark": `const bytes = new Uint8Array([0xef, 0xbb, 0xbf, 0x5b, 0x5d]); return [await new Response(bytes).text(), await new Response(bytes).json(), (await new Response(bytes).bytes()).length];`,
  "a stream of what is no bytes": `return new Response(new ReadableStream({ start(c) { c.enqueue("a"); c.close(); } })).text();`,
  "a locked stream": `const s = new ReadableStream(); s.getReader(); return new Response(s);`,
  "a stream that was read": `const s = new Blob(["a"]).stream(); await s.getReader().cancel(); return new Response(s);`,
  "bad responses": `return [["x", { status: 204 }], [null, { status: 199 }], [null, { status: 600 }], [null, { status: 204 }], [null, { statusText: "a\\nb" }], [null, { status: 200.5 }], [null, { status: "201" }], [null, 5]].map(([body, init]) => { try { return new Response(body, init).status; } catch (e) { return e.name; } });`,
  "Response.error, redirect, json": `const e = Response.error(); const r = Response.redirect("https://a.b/c d", 303); const j = Response.json({ a: 1 }, { status: 201, headers: { x: "y" } }); const seen = [e.type, e.status, e.ok, r.status, r.headers.get("location"), j.status, j.headers.get("content-type"), await j.json()]; try { r.headers.set("a", "b"); } catch (x) { seen.push(x.name); } try { Response.redirect("https://a", 200); } catch (x) { seen.push(x.name); } try { Response.json(undefined); } catch (x) { seen.push(x.name); } return seen;`,
  "a request's attributes": `const r = new Request("https://A.b:443/x/../y?z#f"); return [r.url, r.method, r.mode, r.credentials, r.cache, r.redirect, r.referrer, r.referrerPolicy, r.integrity, r.keepalive, r.destination, r.duplex, r.body, r.bodyUsed, r.signal instanceof AbortSignal, r.signal.aborted, [...r.headers]];`,
  methods: `return ["get", "Post", "patch", "PATCH", "x-y", "TRACE", "connect", "a b", ""].map((method) => { try { return new Request("https://a", { method }).method; } catch (e) { return e.name; } });`,
  "bad requests": `return [["relative"], ["https://u:p@a"], ["https://a", { body: "x" }], ["https://a", { method: "HEAD", body: "x" }], ["https://a", { redirect: "x" }], ["https://a", { mode: "navigate" }], ["https://a", { signal: {} }], ["https://a", { method: "POST", body: new ReadableStream() }], ["https://a", { window: 1 }], ["https://a", { method: "POST", body: new ReadableStream(), duplex: "half" }], [new URL("https://a")], []].map((args) => { try { return new Request(...args).url; } catch (e) { return e.name; } });`,
  "a request made of a request": `const a = new Request("https://a", { method: "POST", body: "x", headers: { h: "1" }, redirect: "manual" }); const b = new Request(a, { headers: { h: "2" } }); return [a.bodyUsed, b.method, b.headers.get("h"), b.redirect, await b.text(), await a.text().catch((e) => e.name)];`,
  "its signal follows": `const c = new AbortController(); const r = new Request(new Request("https://a", { signal: c.signal })); const clone = r.clone(); c.abort(7); return [r.signal.aborted, r.signal.reason, clone.signal.aborted, r.signal !== c.signal];`,
  "a request is cloned": `const a = new Request("https://a", { method: "POST", body: new URLSearchParams("a=b") }); const b = a.clone(); return [await b.text(), await a.text(), b.headers.get("content-type")];`,
  "look-alikes": `return [() => Response.prototype.clone.call({}), () => Object.getOwnPropertyDescriptor(Request.prototype, "url").get.call({})].map((act) => { try { return act(); } catch (e) { return e.name; } });`,
  "text of a look-alike": `return Response.prototype.text.call({}).catch((e) => e.name);`,
  "data URLs": `const of = async (url) => { const r = await fetch(url); return [r.status, r.headers.get("content-type"), await r.text()]; }; return [await of("data:,a%20b"), await of("data:text/html;charset=x;base64,PGI+"), await of("data:;charset=utf-8,%C3%A9#f"), await of("data:application/json,{}"), await of("data:nonsense,x"), await fetch("data:no comma").catch((e) => e.name), await fetch("data:;base64,=").catch((e) => e.name)];`,
});

testAsNode("headers", {
  "kept, combined, sorted": `const h = new Headers([["B", "1"], ["a", " 2\\t"], ["b", "3"], ["Set-Cookie", "x"], ["set-cookie", "y"]]); h.append("a", "4"); return [[...h], h.get("B"), h.has("SET-cookie"), h.getSetCookie(), h.get("none"), [...h.keys()], [...h.values()], Object.prototype.toString.call(h.entries())];`,
  "set and delete": `const h = new Headers({ a: "1", b: "2" }); h.append("a", "2"); h.set("A", "9"); h.delete("b"); return [...h];`,
  forEach: `const seen = []; const h = new Headers({ a: "1" }); h.forEach(function (value, name, all) { seen.push(value, name, all === h, this.x); }, { x: 5 }); return seen;`,
  "what may be given": `return [undefined, {}, [], new Headers({ a: "b" }), new Map([["a", "b"]]), { a: 1, b: null }, Object.create({ c: "d" }, { e: { value: "f", enumerable: true } }), null, 1, "a", [["a"]], [["a", "b", "c"]], [[]], { "a b": "c" }, { a: "\\n" }, { a: "\\u0100" }, { [Symbol("a")]: "b" }, [["a", "b"], new Set(["c", "d"])]].map((init) => { try { return [...new Headers(init)]; } catch (e) { return e.name; } });`,
  "too few arguments": `return [() => new Headers().append("a"), () => new Headers().get(), () => new Headers().forEach()].map((act) => { try { return act(); } catch (e) { return e.name; } });`,
  "changed while iterated": `const h = new Headers({ a: "1", c: "3" }); const seen = []; for (const [name] of h) { seen.push(name); if (name === "a") h.append("b", "2"); } return seen;`,
});

testAsNode("blobs, files and forms", {
  parts: `const b = new Blob(["é", new Uint8Array([65]), new Blob(["b"]), new ArrayBuffer(1), 5, new DataView(new ArrayBuffer(1)), "\\ud800"], { type: "Text/X" }); return [b.size, b.type, new Uint8Array(await b.arrayBuffer()), await b.text()];`,
  slices: `const b = new Blob(["abcdef"], { type: "a/b" }); return Promise.all([[1, 3], [-2], [2], [0, -1], [4, 2], [1, 99], [undefined, 2], [1.7, 2.9], [NaN, 3]].map(async ([from, to]) => (await b.slice(from, to, "c/D").text()) + b.slice(from, to, "c/D").type));`,
  "types that are none": `return [new Blob([], { type: "a\\u00e9" }).type, new Blob([], { type: "A B" }).type, new Blob().type];`,
  endings: `return new Blob(["a\\r\\nb\\nc\\rd"], { endings: "native" }).text();`,
  "bad parts": `return ["text", 5, null, {}, { length: 1 }].map((parts) => { try { return new Blob(parts).size; } catch (e) { return e.name; } });`,
  "a stream of a blob": `const parts = []; for await (const part of new Blob(["x".repeat(200000)]).stream()) parts.push(part.byteLength); return [parts.reduce((a, b) => a + b, 0)];`,
  "bytes, and a reader's own buffer": `const b = new Blob(["abc"]); const r = b.stream().getReader({ mode: "byob" }); return [await b.bytes(), (await r.read(new Uint8Array(2))).value];`,
  "a blob does not change": `const bytes = new Uint8Array([65]); const b = new Blob([bytes]); bytes[0] = 66; const out = new Uint8Array(await b.arrayBuffer()); out[0] = 67; return b.text();`,
  files: `const f = new File(["a"], "na/me\\ud800", { type: "A/b", lastModified: 5 }); return [f.name, f.type, f.lastModified, f.size, f instanceof Blob, Object.prototype.toString.call(f), typeof new File([], "x").lastModified, f.slice(0, 1) instanceof File];`,
  "bad files": `return [() => new File(["a"]), () => new File("a", "b"), () => new File()].map((act) => { try { act(); return "made"; } catch (e) { return e.name; } });`,
  "a form's entries": `const f = new FormData(); f.append("a", "1"); f.append("a", 2); f.append("b", new Blob(["x"])); f.append("c", new Blob(["y"]), "n.txt"); f.set("d", new File(["z"], "z.txt", { lastModified: 3 })); return [[...f.keys()], f.getAll("a"), f.get("b").name, f.get("c").name, f.get("d").lastModified, f.has("e"), f.get("e"), f.get("b") instanceof File, Object.prototype.toString.call(f)];`,
  "set replaces, delete removes": `const f = new FormData(); f.append("a", "1"); f.append("b", "2"); f.append("a", "3"); f.set("a", "4"); f.delete("b"); return [...f];`,
  "bad entries": `return [() => new FormData({}), () => new FormData().append("a"), () => new FormData().append("a", "b", "c")].map((act) => { try { act(); return "made"; } catch (e) { return e.name; } });`,
  "a form as a body, and back": `const f = new FormData(); f.append("te\\"xt", "a\\nb\\r\\nc"); f.append("é", "ü€"); f.append("file", new File([new Uint8Array([0, 255, 13, 10, 45, 45])], 'n"ä.bin', { type: "x/y" })); f.append("empty", new Blob([])); const r = new Response(f); const type = r.headers.get("content-type").split("; boundary=----")[0]; const back = await r.formData(); const file = back.get("file"); return [type, [...back.keys()], back.get("te\\"xt"), back.get("é"), file.name, file.type, new Uint8Array(await file.arrayBuffer()), back.get("empty").size, back.get("empty").type];`,
  "a form that was written elsewhere": `const body = 'preamble\\r\\n--XX\\r\\nContent-Disposition: form-data; name="a"\\r\\n\\r\\n1\\r\\n--XX\\r\\ncontent-disposition:form-data;name="f"; filename="x.txt"\\r\\nContent-Type: text/plain\\r\\n\\r\\nhello\\r\\n--XX--\\r\\nepilogue'; const f = await new Response(body.slice(10), { headers: { "content-type": "multipart/form-data; boundary=XX" } }).formData(); return [f.get("a"), f.get("f").name, f.get("f").type, await f.get("f").text()];`,
  "form-urlencoded": `const f = await new Response(new URLSearchParams("a=1&b=%C3%A9+x&a=2")).formData(); return [...f];`,
  "no form": `return [await new Response("a").formData().catch((e) => e.name), await new Response("a", { headers: { "content-type": "multipart/form-data" } }).formData().catch((e) => e.name), await new Response("a", { headers: { "content-type": "multipart/form-data; boundary=x" } }).formData().catch((e) => e.name)];`,
});

testAsNode("search parameters", {
  "what may be given": `return ["?a=1&b=2", "a", "a=b=c&&=x&+y=%zz%41", { a: 1, b: "x y" }, [["a", "b"], ["a", "c"]], new Map([["a", "b"]]), new URLSearchParams("q=1"), "", undefined, null, 5, [["a"]], [5], { a: { toString: () => "t" } }, "\\ud800=\\ud800", "%EF%BB%BFa=b", "%ff%c3%a9"].map((init) => { try { return [...new URLSearchParams(init)]; } catch (e) { return e.name; } });`,
  changed: `const p = new URLSearchParams("a=1&b=2&a=3"); p.append("c", "é &"); p.set("a", "9"); const s = [p.toString(), p.size, p.has("a"), p.has("a", "8"), p.getAll("a")]; p.delete("b", "x"); p.delete("c"); return [s, String(p), p.get("b")];`,
  sorted: `const p = new URLSearchParams("z=1&\\ufb03=2&\\u{1f308}=3&a=4&a=5&z=0"); p.sort(); return [...p];`,
  serialized: `return new URLSearchParams([["a b", "~!*()'-._"], ["é", "\\u{1f600}"], ["+", "&="]]).toString();`,
  "a URL follows its parameters": `const u = new URL("https://a/?x=1#f"); u.searchParams.append("y", "2 3"); const first = u.href; u.search = "?q=%20"; const second = [...u.searchParams]; u.searchParams.delete("q"); return [first, second, u.href, u.searchParams === u.searchParams];`,
  "too few arguments": `return [() => new URLSearchParams().append("a"), () => new URLSearchParams().get(), () => new URL(), () => URL.canParse()].map((act) => { try { return act(); } catch (e) { return e.name; } });`,
  "changed while iterated": `const p = new URLSearchParams("a=1&b=2&c=3"); const seen = []; for (const [name] of p) { seen.push(name); if (name === "a") p.delete("b"); } return seen;`,
  iterators: `const i = new URLSearchParams("a=1").entries(); return [Object.prototype.toString.call(i), typeof i[Symbol.iterator], i.next(), i.next(), Object.getPrototypeOf(Object.getPrototypeOf(i)) === Object.getPrototypeOf(Object.getPrototypeOf([][Symbol.iterator]()))];`,
  URLPattern: `const p = new URLPattern({ pathname: "/books/:id(\\\\d+)/*", hostname: "{:sub.}?example.com" }); const m = p.exec("https://a.example.com/books/12/x/y"); return [p.test("https://example.com/books/x/"), m.pathname.groups, m.hostname.groups, p.pathname, new URLPattern("/a/:b", "https://x.y").exec("https://x.y/a/c?q").search.input];`,
});

testByStandard("requests and forms", {
  "blob keeps a parameter's case": [
    `return (await new Response("a", { headers: { "content-type": "Text/Plain; Charset=UTF-8" } }).blob()).type;`,
    "text/plain;charset=UTF-8",
  ],
  "a function has no members to be headers": [`return [...new Headers(() => 1)];`, []],
  "a file's time is a whole number": [`return new File([], "a", { lastModified: 5.9 }).lastModified;`, 5],
  "a blob is streamed in parts": [`let n = 0; for await (const part of new Blob(["x".repeat(200000)]).stream()) n += 1; return n;`, 4],
  "a class can be made from each": [
    `class A extends Request {} class B extends Response {} class C extends Headers {} class D extends URL {} class E extends Blob {} class F extends FormData {} class G extends URLSearchParams {} class H extends AbortController {} class I extends TextDecoder {} return [new A("https://a").url, await new B("b").text(), new C({ a: "b" }).get("a"), new D("https://d").href, new E(["e"]).size, new F().has("a"), new G("g=1").get("g"), new H().signal.aborted, new I().decode(new Uint8Array([65]))];`,
    ["https://a/", "b", "b", "https://d/", 1, false, "1", false, "A"],
  ],
});
