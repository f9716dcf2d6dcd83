import { WEB } from "../../../../src/catalogue/texts.ts";
import { GuestTypeError, define } from "../../intrinsics.ts";

/** What is thrown for a text that is no URL. Its callers tell it by the code, as in Node. */
export function invalidUrl(): TypeError {
  const error = new GuestTypeError(WEB.notUrl);
  define(error, "code", "ERR_INVALID_URL");
  return error;
}
