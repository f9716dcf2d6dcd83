import { Resolver } from "node:dns/promises";

/** Every address of a name, as text. */
export type Resolve = (host: string, signal: AbortSignal) => Promise<readonly string[]>;

const TIMEOUT_MS = 3000;
const TRIES = 2;

/**
 * Asks the machine's name servers, not its `getaddrinfo`: that one holds a thread of the pool that all file work shares,
 * for as long as a slow server of a stranger's likes. What only `/etc/hosts` knows is private, and not reached by name anyway.
 */
export const resolveHost: Resolve = async (host, signal) => {
  signal.throwIfAborted();
  const resolver = new Resolver({ timeout: TIMEOUT_MS, tries: TRIES });
  const cancel = (): void => resolver.cancel();
  signal.addEventListener("abort", cancel, { once: true });
  try {
    const [ipv4, ipv6] = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]);
    if (ipv4.status === "rejected" && ipv6.status === "rejected") throw ipv4.reason;
    return [ipv4, ipv6].flatMap((answer) => (answer.status === "fulfilled" ? answer.value : []));
  } finally {
    signal.removeEventListener("abort", cancel);
  }
};
