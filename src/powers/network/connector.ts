import { once } from "node:events";
import { connect as connectSocket, isIP, type Socket } from "node:net";
import { connect as connectTls } from "node:tls";
import type { buildConnector } from "undici";
import { NETWORK } from "../../catalogue/texts.ts";
import { denied, PowerError } from "../power.ts";
import { classifyAddress, isSameAddress, parseAddress } from "./address.ts";
import type { Resolve } from "./resolver.ts";

export interface ConnectTarget {
  readonly host: string;
  readonly port: number;
  /** Every one of them is checked. */
  readonly addresses: readonly string[];
}

/** Begins to open a socket to one of the target's addresses, asking no name server. */
export type Connect = (target: ConnectTarget) => Socket;

export interface ConnectorParts {
  readonly resolve: Resolve;
  readonly connect: Connect;
  /** Whether a private address, as a URL writes it, is granted by itself. */
  readonly opens: (address: string, port: number) => boolean;
  readonly timeoutMs: number;
  /** Ends what is being opened. */
  readonly signal: AbortSignal;
}

/** No connection was made, so nothing was sent. */
export class ConnectError extends Error {
  override readonly name = "ConnectError";
  readonly step: "lookup" | "connect" | "tls";
  readonly code: string;

  constructor(step: "lookup" | "connect" | "tls", cause: unknown) {
    super("No connection was made", { cause });
    const { code } = (cause ?? {}) as { code?: unknown };
    this.step = step;
    this.code = typeof code === "string" ? code : "ECONNREFUSED";
  }
}

export const openSocket: Connect = ({ host, port, addresses }) => {
  const [only] = addresses;
  if (addresses.length === 1 && only !== undefined) return connectSocket({ host: only, port, noDelay: true });
  const checked = addresses.map((address) => ({ address, family: isIP(address) }));
  return connectSocket({
    host,
    port,
    noDelay: true,
    autoSelectFamily: true,
    lookup: (_host, _options, callback) => callback(null, checked),
  });
};

/**
 * Connects for undici. The name is resolved here, all its addresses are checked, the socket is opened to one of those and
 * asked where it went: an answer that changes between two questions has no second question to change at.
 */
export function createConnector(parts: ConnectorParts): buildConnector.connector {
  return ({ hostname, protocol, port }, take) => {
    const isSecure = protocol === "https:";
    void open(parts, hostname, port === "" ? (isSecure ? 443 : 80) : Number(port), isSecure).then(
      (socket) => hand(take, null, socket),
      (error: unknown) => hand(take, error instanceof Error ? error : new ConnectError("connect", error), null),
    );
  };
}

// In a turn of its own: what undici throws there is not taken for a failure to connect.
function hand(take: buildConnector.Callback, ...[error, socket]: [Error, null] | [null, Socket]): void {
  queueMicrotask(() => (error === null ? take(null, socket) : take(error, null)));
}

async function open(parts: ConnectorParts, host: string, port: number, isSecure: boolean): Promise<Socket> {
  const deadline = new AbortController();
  const timer = setTimeout(() => deadline.abort(), parts.timeoutMs);
  const stop = (): void => deadline.abort();
  parts.signal.addEventListener("abort", stop, { once: true });
  if (parts.signal.aborted) stop();
  try {
    const addresses = await checkedAddresses(parts, host, port, deadline.signal);
    const socket = await openChecked(parts, { host, port, addresses }, deadline.signal);
    return isSecure ? await secure(socket, host, deadline.signal) : socket;
  } finally {
    clearTimeout(timer);
    parts.signal.removeEventListener("abort", stop);
  }
}

async function checkedAddresses(
  { resolve, opens }: ConnectorParts,
  host: string,
  port: number,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const literal = parseAddress(host);
  if (literal !== null) {
    const kind = classifyAddress(literal);
    const written = literal.length === 16 ? `[${host}]` : host;
    if (kind === "metadata" || (kind === "private" && !opens(written, port))) throw denied(NETWORK.leadsInside(host));
    return [host];
  }
  const addresses = await Promise.race([resolve(host, signal), untilAborted(signal)]).catch((error: unknown) => {
    throw new ConnectError("lookup", error);
  });
  if (addresses.length === 0) throw new ConnectError("lookup", { code: "ENOTFOUND" });
  const isPublic = addresses.every((text) => {
    const address = parseAddress(text);
    return address !== null && classifyAddress(address) === "public";
  });
  if (!isPublic) throw denied(NETWORK.leadsInside(host));
  return addresses;
}

// A resolver that does not look at its signal holds nobody up.
function untilAborted(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason as Error), { once: true });
    if (signal.aborted) reject(signal.reason as Error);
  });
}

async function openChecked({ connect }: ConnectorParts, target: ConnectTarget, signal: AbortSignal): Promise<Socket> {
  const socket = connect(target);
  // Between here and the first reader of its events an error would find nobody.
  socket.on("error", () => undefined);
  try {
    await once(socket, "connect", { signal });
    const remote = parseAddress(socket.remoteAddress ?? "");
    const isPinned = remote !== null && target.addresses.some((text) => isSameAddress(parseAddress(text) ?? new Uint8Array(), remote));
    if (!isPinned) throw denied(NETWORK.leadsInside(target.host));
    return socket;
  } catch (error) {
    socket.destroy();
    throw error instanceof PowerError ? error : new ConnectError("connect", error);
  }
}

async function secure(socket: Socket, host: string, signal: AbortSignal): Promise<Socket> {
  const secured = connectTls({
    socket,
    host,
    // An address has no name to indicate; its certificate is held to `host`.
    servername: isIP(host) === 0 ? host : "",
    ALPNProtocols: ["http/1.1"],
    // Said, so that no variable of the environment turns it off.
    rejectUnauthorized: true,
  });
  secured.on("error", () => undefined);
  try {
    await once(secured, "secureConnect", { signal });
    return secured;
  } catch (error) {
    secured.destroy();
    socket.destroy();
    throw new ConnectError("tls", error);
  }
}
