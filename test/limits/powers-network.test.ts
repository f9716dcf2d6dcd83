import assert from "node:assert/strict";
import { after } from "node:test";
import { testLimit } from "./a-limit.ts";
import { serveLimits } from "./a-server.ts";

const { files, server, fetched, refused, failed } = await serveLimits();
after(() => server[Symbol.asyncDispose]());

const some = { files, options: { policy: { grant: () => true } } };

// What a request may carry is shown with files; an answer that is read whole shows the other way.
testLimit("powerBytes", {
  ...some,
  set: 1024,
  raisedTo: 1025,
  at: ["carries an answer of exactly as many bytes", (made) => fetched(made, ["bytes?1024"])],
  over: ["refuses an answer of one byte more", (made) => refused(made, ["bytes?1025"], /answer of the host may carry at most 1024 bytes/u)],
  raised: ["carries one byte more", (made) => fetched(made, ["bytes?1025"])],
});

testLimit("fetchMs", {
  ...some,
  set: 400,
  at: ["takes an answer that comes sooner", (made) => fetched(made, ["late?1"])],
  over: [
    "gives up a server that answers later, or never comes to an end",
    async (made) => {
      await refused(made, ["late?20000"], /did not end within 400 ms \(fetchMs\)/u);
      await refused(made, ["open"], /fetchMs/u);
    },
  ],
  raised: ["waits for longer", (made) => fetched(made, ["late?500"])],
});

testLimit("fetchBytes", {
  ...some,
  set: 64,
  raisedTo: 65,
  at: ["takes an answer of exactly as many bytes, sent or unpacked", (made) => fetched(made, ["bytes?64", "zipped?64"])],
  over: [
    "refuses an answer of one byte more, sent or unpacked",
    async (made) => {
      await refused(made, ["bytes?65"], /larger than 64 bytes \(fetchBytes\)/u);
      await refused(made, ["zipped?65"], /fetchBytes/u);
    },
  ],
  raised: ["takes one byte more", (made) => fetched(made, ["bytes?65", "zipped?65"])],
});

testLimit("fetchBodyBytes", {
  ...some,
  set: 64,
  raisedTo: 65,
  at: ["sends a body of exactly as many bytes", (made) => fetched(made, [""], { init: post(64) })],
  over: [
    "sends nothing of a body of one byte more",
    async (made) => {
      const before = server.requests.length;
      await refused(made, [""], /a body of at most 64 bytes \(fetchBodyBytes\)/u, { init: post(65) });
      assert.equal(server.requests.length, before);
    },
  ],
  raised: ["sends one byte more", (made) => fetched(made, [""], { init: post(65) })],
});

testLimit("fetchCount", {
  ...some,
  set: 2,
  raisedTo: 3,
  at: [
    "makes exactly as many requests in a call, and as many in the next",
    async (made) => {
      await fetched(made, ["", ""]);
      await fetched(made, ["", ""]);
    },
  ],
  over: ["refuses one more", (made) => refused(made, ["", "", ""], /at most 2 requests \(fetchCount\)/u)],
  raised: ["makes one more", (made) => fetched(made, ["", "", ""])],
});

testLimit("fetchInFlightCount", {
  ...some,
  set: 2,
  raisedTo: 3,
  at: [
    "keeps exactly as many answers open, and as many in the next call",
    async (made) => {
      await fetched(made, ["open", "open"], { isHeld: true });
      await fetched(made, ["open", "open"], { isHeld: true });
    },
  ],
  over: [
    "refuses one more",
    (made) => refused(made, ["open", "open", "open"], /at most 2 answers open at once \(fetchInFlightCount\)/u, { isHeld: true }),
  ],
  raised: ["keeps one more open", (made) => fetched(made, ["open", "open", "open"], { isHeld: true })],
});

testLimit("fetchRatePerMinuteCount", {
  ...some,
  set: 2,
  raisedTo: 3,
  at: [
    "makes exactly as many requests at once, over all calls of a capability",
    async (made) => {
      await fetched(made, [""]);
      await fetched(made, [""]);
    },
  ],
  over: [
    "refuses one more, a redirect counted, and leaves other capabilities theirs",
    async (made) => {
      const words = /at most 2 requests a minute \(fetchRatePerMinuteCount\)/u;
      await refused(made, ["hop?2"], words, { tool: "get_other" });
      await refused(made, ["", "", ""], words);
    },
  ],
  raised: [
    "makes one more",
    async (made) => {
      await fetched(made, ["", "", ""]);
      await fetched(made, ["hop?2"], { tool: "get_other" });
    },
  ],
});

testLimit("fetchRedirectCount", {
  ...some,
  set: 1,
  raisedTo: 2,
  at: ["follows exactly as many redirects", (made) => fetched(made, ["hop?1"])],
  over: ["follows none more", (made) => failed(made, ["hop?2"], /redirected more than 1 times \(fetchRedirectCount\)/u)],
  raised: ["follows one more", (made) => fetched(made, ["hop?2"])],
});

testLimit("fetchUrlChars", {
  ...some,
  set: 64,
  raisedTo: 65,
  at: ["takes a URL of exactly as many characters", (made) => fetched(made, [pathFor(64)])],
  over: ["refuses one of one character more", (made) => failed(made, [pathFor(65)], /longer than 64 characters \(fetchUrlChars\)/u)],
  raised: ["takes one character more", (made) => fetched(made, [pathFor(65)])],
});

testLimit("fetchHeaderBytes", {
  ...some,
  set: 512,
  raisedTo: 513,
  at: [
    "takes exactly as many bytes of headers, a request's and an answer's",
    async (made) => {
      await fetched(made, [""], { init: { headers: { a: "b".repeat(511) } } });
      await fetched(made, ["header?512"]);
    },
  ],
  over: [
    "refuses one byte more, a request's and an answer's",
    async (made) => {
      await refused(made, [""], /A request has at most 512 bytes of headers \(fetchHeaderBytes\)/u, {
        init: { headers: { a: "b".repeat(512) } },
      });
      await refused(made, ["header?513"], /The answer has more than 512 bytes of headers \(fetchHeaderBytes\)/u);
    },
  ],
  raised: [
    "takes one byte more",
    async (made) => {
      await fetched(made, [""], { init: { headers: { a: "b".repeat(512) } } });
      await fetched(made, ["header?513"]);
    },
  ],
});

testLimit("fetchHeaderCount", {
  ...some,
  set: 5,
  raisedTo: 6,
  at: [
    "takes exactly as many headers, a request's and an answer's",
    async (made) => {
      await fetched(made, [""], { init: { headers: headers(5) } });
      await fetched(made, ["headers?5"]);
    },
  ],
  over: [
    "refuses one more, a request's and an answer's",
    async (made) => {
      await refused(made, [""], /A request has at most 5 headers \(fetchHeaderCount\)/u, { init: { headers: headers(6) } });
      await refused(made, ["headers?6"], /The answer has more than 5 headers \(fetchHeaderCount\)/u);
    },
  ],
  raised: [
    "takes one more",
    async (made) => {
      await fetched(made, [""], { init: { headers: headers(6) } });
      await fetched(made, ["headers?6"]);
    },
  ],
});

function post(bytes: number): object {
  return { method: "POST", body: "x".repeat(bytes) };
}

function headers(count: number): object {
  return Object.fromEntries(Array.from({ length: count }, (_, index) => [`x-${index}`, "1"]));
}

function pathFor(chars: number): string {
  return "x".repeat(chars - server.url.length);
}
