import { charCodeAt } from "../../intrinsics.ts";
import { parseHost } from "./host.ts";
import { COLON, STATE, again, endsAuthority, type Parsing, type State } from "./parsing.ts";
import { defaultPort, hasCredentials, isSpecial } from "./record.ts";

/** The host, up to its end or its port. */
export function hostState(parsing: Parsing, unit: number, state: State): State {
  const { url, override } = parsing;
  if (override !== null && url.scheme === "file") return again(parsing, STATE.FILE_HOST);
  const isPort = unit === COLON && !parsing.isInBrackets;
  if (!isPort && !endsAuthority(url, unit)) {
    if (unit === 0x5b) parsing.isInBrackets = true;
    if (unit === 0x5d) parsing.isInBrackets = false;
    parsing.buffer += parsing.input[parsing.at];
    return state;
  }
  if (parsing.buffer === "") {
    if (isPort || isSpecial(url)) return STATE.FAILED;
    if (override !== null && (hasCredentials(url) || url.port !== null)) return STATE.FAILED;
  }
  if (isPort && override === STATE.HOSTNAME) return STATE.FAILED;
  const host = parsing.buffer === "" ? "" : parseHost(parsing.buffer, !isSpecial(url));
  if (host === null) return STATE.FAILED;
  url.host = host;
  parsing.buffer = "";
  if (isPort) return STATE.PORT;
  return override === null ? again(parsing, STATE.PATH_START) : STATE.DONE;
}

export function portState(parsing: Parsing, unit: number): State {
  const { url, override } = parsing;
  if (unit >= 0x30 && unit <= 0x39) {
    parsing.buffer += parsing.input[parsing.at];
    return STATE.PORT;
  }
  if (!endsAuthority(url, unit) && override === null) return STATE.FAILED;
  if (parsing.buffer !== "") {
    const port = toPort(parsing.buffer);
    if (port > 0xffff) return STATE.FAILED;
    url.port = port === defaultPort(url.scheme) ? null : port;
    parsing.buffer = "";
    if (override !== null) return STATE.DONE;
  }
  return override === null ? again(parsing, STATE.PATH_START) : STATE.FAILED;
}

function toPort(digits: string): number {
  let port = 0;
  for (let at = 0; at < digits.length; at += 1) port = port * 10 + charCodeAt(digits, at) - 0x30;
  return port;
}
