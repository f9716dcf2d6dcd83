import { NETWORK } from "../../catalogue/texts.ts";
import { overLimit } from "../power.ts";
import type { NetworkLimits } from "./limits.ts";
import type { Header } from "./request.ts";

/** The headers of an answer, from the flat list that came. Throws PowerError where there are too many. */
export function readResponseHeaders(raw: readonly string[], { fetchHeaderCount }: NetworkLimits): readonly Header[] {
  if (raw.length / 2 > fetchHeaderCount) throw overLimit(NETWORK.answerHeaderCount(fetchHeaderCount));
  const headers: Header[] = [];
  for (let at = 0; at + 1 < raw.length; at += 2) headers.push({ name: (raw[at] ?? "").toLowerCase(), value: raw[at + 1] ?? "" });
  return headers;
}

/** The value of a header that may stand once. */
export function headerOf(headers: readonly Header[], name: string): string | undefined {
  return headers.find((header) => header.name === name)?.value;
}

/** Whether a guest is told of it: not of cookies, which nobody keeps, nor of the connection and the machines on its way. */
export function isTold({ name }: Header): boolean {
  return !KEPT.has(name) && !name.startsWith("proxy-") && !name.startsWith("x-forwarded-");
}

const KEPT: ReadonlySet<string> = new Set([
  "alt-svc",
  "connection",
  "forwarded",
  "keep-alive",
  "set-cookie",
  "set-cookie2",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
  "via",
  "x-real-ip",
]);
