import { NATIVE } from "../../../src/bridge/natives.ts";
import { NativeError, askBytes } from "../native.ts";
import { latin1 } from "../powers.ts";
import { encodeUtf8 } from "./utf8.ts";

/** The longest domain that is worth asking for: no name that can be resolved has a tenth of it. */
const DOMAIN_CHARS = 4096;

/**
 * ToASCII of a domain (URL Standard, 3.3), "" where there is none. The one thing of a URL that is computed in the keeper: its
 * tables are larger than everything else here together, and only what is not plain ASCII needs them.
 */
export function domainToAscii(domain: string): string {
  if (domain.length > DOMAIN_CHARS) return "";
  try {
    return latin1(askBytes(NATIVE.DOMAIN, 0, 0, 0, encodeUtf8(domain)));
  } catch (error) {
    if (error instanceof NativeError) return "";
    throw error;
  }
}
