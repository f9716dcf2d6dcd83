import { createServer, type IncomingMessage, type RequestListener, type Server } from "node:http";
import { createServer as createSecureServer } from "node:https";
import { connect as connectSocket, createServer as createSocketServer, type AddressInfo, type Socket } from "node:net";
import type { JsonObject } from "../../../src/catalogue/json.ts";
import { LIMITS } from "../../../src/engine/limits.ts";
import type { Connect } from "../../../src/powers/network/connector.ts";
import type { NetworkLimits } from "../../../src/powers/network/limits.ts";
import { createNetwork, type NetworkOptions } from "../../../src/powers/network/network.ts";
import { NO_PERMISSIONS } from "../../../src/powers/permissions.ts";
import type { PowerAnswer, PowerUse } from "../../../src/powers/power.ts";

export const LIMIT_VALUES = Object.fromEntries(
  Object.entries(LIMITS).map(([name, { value }]) => [name, value]),
) as unknown as NetworkLimits;

export interface TestEffect {
  readonly target: string;
  readonly changes: boolean;
  state: "unknown" | "done" | "refused";
}

export interface Head {
  readonly id: number;
  readonly status: number;
  readonly statusText: string;
  readonly url: string;
  readonly redirected: boolean;
  readonly headers: readonly (readonly [string, string])[];
  readonly done: boolean;
}

/** A network as one call of one capability uses it. */
export interface TestCall {
  readonly effects: readonly TestEffect[];
  /** Sends a request and gives its head, with the body where it came along. */
  fetch(url: string, options?: FetchOptions): Promise<{ readonly head: Head; readonly bytes: Buffer }>;
  /** Reads the rest of a body. */
  readAll(id: number): Promise<Buffer>;
  perform(op: string, args: JsonObject, bytes?: Buffer | null): Promise<PowerAnswer>;
  /** Fetches and reads to the end. */
  text(url: string, options?: FetchOptions): Promise<{ readonly head: Head; readonly body: string }>;
  end(): void;
}

export interface FetchOptions {
  readonly id?: number;
  readonly method?: string;
  readonly headers?: readonly (readonly [string, string])[];
  readonly redirect?: string;
  readonly body?: Buffer | null;
}

export interface TestNetwork extends AsyncDisposable {
  call(network: readonly string[], capability?: string): TestCall;
}

export function makeNetwork({
  limits = {},
  ...options
}: Partial<Omit<NetworkOptions, "limits">> & { readonly limits?: Partial<NetworkLimits> } = {}): TestNetwork {
  const power = createNetwork({ ...options, limits: { ...LIMIT_VALUES, ...limits } });
  let calls = 0;
  return {
    call(network, capability = "weather") {
      calls += 1;
      const callId = `call-${calls}`;
      const ended = new AbortController();
      const effects: TestEffect[] = [];
      let lastId = 0;
      const use: PowerUse = {
        capability,
        callId,
        places: { workspace: "/", home: "/", capability: "/", temp: "/" },
        permissions: { ...NO_PERMISSIONS, network },
        signal: ended.signal,
        effect(target, changes) {
          const effect: TestEffect = { target, changes, state: "unknown" };
          effects.push(effect);
          return { done: () => void (effect.state = "done"), refused: () => void (effect.state = "refused") };
        },
      };
      const call: TestCall = {
        effects,
        perform: (op, args, bytes = null) => power.perform({ op, args, bytes }, use),
        async fetch(url, { id, method = "GET", headers = [], redirect = "follow", body = null } = {}) {
          lastId += 1;
          const answer = await call.perform("fetch", { id: id ?? lastId, url, method, headers, redirect }, body);
          return { head: answer.value as unknown as Head, bytes: answer.bytes ?? Buffer.alloc(0) };
        },
        async readAll(id) {
          const parts: Buffer[] = [];
          for (;;) {
            const { value, bytes } = await call.perform("read", { id });
            if ((value as { done: boolean }).done) return Buffer.concat(parts);
            parts.push(bytes ?? Buffer.alloc(0));
          }
        },
        async text(url, given) {
          const { head, bytes } = await call.fetch(url, given);
          return { head, body: (head.done ? bytes : await call.readAll(head.id)).toString("utf8") };
        },
        end: () => ended.abort(),
      };
      return call;
    },
    [Symbol.asyncDispose]: () => Promise.resolve(power[Symbol.asyncDispose]()),
  };
}

export interface TestServer extends AsyncDisposable {
  readonly port: number;
  /** `127.0.0.1:port`, as a permission names it. */
  readonly entry: string;
  readonly url: string;
  readonly requests: readonly IncomingMessage[];
  /** Sockets that are open now. */
  readonly sockets: ReadonlySet<Socket>;
  /** Resolves when no socket is open. */
  idle(): Promise<void>;
}

/** A real server on the loopback. */
export async function serve(listener: RequestListener, tls?: { readonly key: string; readonly cert: string }): Promise<TestServer> {
  const requests: IncomingMessage[] = [];
  const onRequest: RequestListener = (request, response) => {
    requests.push(request);
    listener(request, response);
  };
  const server = tls === undefined ? createServer(onRequest) : createSecureServer(tls, onRequest);
  server.on("tlsClientError", () => undefined);
  return await listen(server, requests, tls === undefined ? "http" : "https");
}

/** A server that says whatever it is told to, byte by byte. */
export async function serveRaw(onSocket: (socket: Socket) => void): Promise<TestServer> {
  const server = createSocketServer((socket) => {
    socket.on("error", () => undefined);
    onSocket(socket);
  });
  return await listen(server as unknown as Server, [], "http");
}

async function listen(server: Server, requests: IncomingMessage[], scheme: string): Promise<TestServer> {
  const sockets = new Set<Socket>();
  const waiting: (() => void)[] = [];
  server.on("connection", (socket: Socket) => {
    sockets.add(socket);
    socket.on("close", () => {
      sockets.delete(socket);
      if (sockets.size === 0) for (const resolve of waiting.splice(0)) resolve();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    port,
    entry: `127.0.0.1:${port}`,
    url: `${scheme}://127.0.0.1:${port}/`,
    requests,
    sockets,
    idle: () => (sockets.size === 0 ? Promise.resolve() : new Promise((resolve) => waiting.push(resolve))),
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/**
 * Leads names to servers on the loopback, as a router would: what is checked and pinned is the public address that the
 * resolver gave, and the socket says that it went there.
 */
export function routeTo(ports: ReadonlyMap<string, number>): Connect {
  return ({ host, port, addresses }) => {
    const [address] = addresses;
    const socket = connectSocket({ host: "127.0.0.1", port: ports.get(`${host}:${port}`) ?? 1 });
    Object.defineProperty(socket, "remoteAddress", { value: address });
    return socket;
  };
}

export async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  return Buffer.concat(parts);
}
