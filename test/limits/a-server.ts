import assert from "node:assert/strict";
import type { RequestListener } from "node:http";
import { gzipSync } from "node:zlib";
import type { Outcome } from "toolcell";
import { serve, type TestServer } from "../powers/network/a-network.ts";
import { toolFile, type Files } from "../support/capabilities.ts";
import type { TestEngine } from "../support/engines.ts";

/** A server on the loopback, and what tools that may reach it make of it. */
export interface LimitServer {
  readonly files: Files;
  readonly server: TestServer;
  readonly fetched: (made: TestEngine, paths: readonly string[], asked?: Asked) => Promise<void>;
  readonly refused: (made: TestEngine, paths: readonly string[], words: RegExp, asked?: Asked) => Promise<void>;
  /** What the platform calls a network error: the tool is given it as any other. */
  readonly failed: (made: TestEngine, paths: readonly string[], words: RegExp) => Promise<void>;
}

interface Asked {
  readonly init?: object;
  /** Leaves the answers unread. */
  readonly isHeld?: boolean;
  readonly tool?: "get" | "get_other";
}

export async function serveLimits(): Promise<LimitServer> {
  const server = await serve(answer);
  const permissions = `export const PERMISSIONS = { network: ["${server.entry}"] };`;
  const call = ({ engine }: TestEngine, paths: readonly string[], { tool = "get", ...asked }: Asked = {}): Promise<Outcome> =>
    engine.call(tool, { urls: paths.map((path) => server.url + path), ...asked });
  const assertEnd = ({ error, text }: Outcome, code: string, words: RegExp): void => {
    assert.equal(error?.code, code, text);
    assert.match(text, words);
  };
  return {
    server,
    files: {
      "web/index.js": permissions,
      "web/get.js": toolFile("get", FETCHING),
      "other/index.js": permissions,
      "other/get_other.js": toolFile("get_other", FETCHING),
    },
    fetched: async (made, paths, asked) => assert.equal((await call(made, paths, asked)).text, "fetched"),
    refused: async (made, paths, words, asked) => assertEnd(await call(made, paths, asked), "POWER_LIMIT", words),
    failed: async (made, paths, words) => assertEnd(await call(made, paths), "TOOL_EXCEPTION", words),
  };
}

// Fetches one URL after the other; `isHeld` leaves the answers unread.
const FETCHING = `const run = async (context, { urls, init, isHeld = false }) => {
  const held = [];
  try {
    for (const url of urls) {
      const answer = await fetch(url, init);
      if (isHeld) held.push(answer);
      else await answer.bytes();
    }
  } catch (error) {
    throw error.cause ?? error;
  }
  return { text: "fetched", payload: held.length };
};`;

/** Answers as the path says, `/zipped?64`; what it does not know it answers with two letters. */
const answer: RequestListener = (request, response) => {
  const { pathname, search } = new URL(request.url ?? "", "http://server");
  const count = Number(search.slice(1));
  switch (pathname) {
    case "/bytes":
      return void response.end("x".repeat(count));
    case "/zipped":
      return void response.writeHead(200, { "content-encoding": "gzip" }).end(gzipSync("x".repeat(count)));
    case "/open":
      return void response.writeHead(200, { "content-length": 1000 }).write("x");
    case "/late":
      return void setTimeout(() => response.end("ok"), count);
    case "/hop":
      return void response.writeHead(302, { location: count > 1 ? `/hop?${count - 1}` : "/end" }).end();
    case "/headers":
      return void request.socket.end(`HTTP/1.1 200 OK\r\n${"a: b\r\n".repeat(count - 1)}content-length: 0\r\n\r\n`);
    case "/header":
      // The name of this one and the whole of the other are counted as well.
      return void request.socket.end(
        `HTTP/1.1 200 OK\r\na: ${"b".repeat(count - 1 - "content-length0".length)}\r\ncontent-length: 0\r\n\r\n`,
      );
    default:
      return void response.end("ok");
  }
};
