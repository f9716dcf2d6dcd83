import { NETWORK, POWER } from "../../catalogue/texts.ts";
import { overLimit, PowerError } from "../power.ts";
import { ConnectError } from "./connector.ts";
import type { NetworkLimits } from "./limits.ts";

/** What the guest is told of whatever ended a request: the host's name, never an address or a path of ours. */
export function toFailure(error: unknown, host: string, hasHead: boolean, limits: NetworkLimits): PowerError {
  if (error instanceof PowerError) return error;
  if (error instanceof ConnectError) return new PowerError(error.code, sentenceOf(error, host));
  const { code } = (error ?? {}) as { code?: unknown };
  // A parser's own error has no code for some of its findings.
  const word = typeof code === "string" ? code : error instanceof Error && error.name === "HTTPParserError" ? "HPE_UNKNOWN" : "";
  switch (word) {
    case "":
      return new PowerError("POWER_FAILED", POWER.failed);
    case "UND_ERR_HEADERS_OVERFLOW":
    case "HPE_HEADER_OVERFLOW":
      return overLimit(NETWORK.answerHeaderBytes(limits.fetchHeaderBytes));
    case "UND_ERR_RES_EXCEEDED_MAX_SIZE":
      return overLimit(NETWORK.bytes(limits.fetchBytes));
    case "Z_DATA_ERROR":
      return new PowerError("Z_DATA_ERROR", NETWORK.undecodable(host));
    default:
      if (word.startsWith("ERR_BROTLI") || word.startsWith("ERR__ERROR")) return new PowerError("Z_DATA_ERROR", NETWORK.undecodable(host));
      if (word.startsWith("HPE_") && !EARLY_END.has(word)) return new PowerError("EPROTO", NETWORK.notHttp(host));
      return new PowerError("ECONNRESET", hasHead ? NETWORK.truncated(host) : NETWORK.noAnswer(host));
  }
}

// How a parser words it that the connection ended.
const EARLY_END: ReadonlySet<string> = new Set(["HPE_INVALID_EOF_STATE", "HPE_CLOSED_CONNECTION"]);

function sentenceOf({ step, code }: ConnectError, host: string): string {
  switch (step) {
    case "lookup":
      return NETWORK.notFound(host, code);
    case "connect":
      return NETWORK.unreachable(host, code);
    case "tls":
      return NETWORK.notSecure(host, code);
  }
}
