import { FETCH } from "../../../src/catalogue/texts.ts";
import { GuestTypeError, toText } from "../intrinsics.ts";
import { latin1 } from "../powers.ts";
import { bytesOfBlob, isBlob } from "./blob.ts";
import { bytesIn, bytesOf } from "./bytes.ts";
import { isFormData } from "./form-data.ts";
import { toScalarText } from "./interface.ts";
import { encodeForm } from "./multipart.ts";
import { ReadableStream, isDisturbed, isStream } from "./streams.ts";
import { isParams } from "./url/search-params.ts";
import { encodeUtf8, isAscii } from "./utf8.ts";

/** Where a body comes from, as texts of one character a byte. */
export type BodySource = { readonly whole: string } | { pull(): Promise<string | null>; cancel(): void };

export interface Extracted {
  readonly source: BodySource | ReadableStream;
  /** The content type that goes with it where none is given. */
  readonly type: string | null;
}

/** What a caller gave for a body (Fetch Standard, 5.2, `extract`). */
export function extractBody(init: unknown): Extracted {
  if (isStream(init)) {
    if (init.locked || isDisturbed(init)) throw new GuestTypeError(FETCH.locked);
    return { source: init, type: null };
  }
  if (isBlob(init)) return { source: { whole: latin1(bytesOfBlob(init)) }, type: init.type === "" ? null : init.type };
  const bytes = bytesIn(init);
  if (bytes !== null) return { source: { whole: latin1(bytes) }, type: null };
  if (isFormData(init)) {
    const { bytes: whole, type } = encodeForm(init, latin1);
    return { source: { whole }, type };
  }
  if (isParams(init)) return { source: { whole: toText(init) }, type: "application/x-www-form-urlencoded;charset=UTF-8" };
  const text = toScalarText(init);
  return { source: { whole: isAscii(text) ? text : latin1(encodeUtf8(text)) }, type: "text/plain;charset=UTF-8" };
}

/** A stream of a source's bytes, which is asked when somebody reads. */
export function streamOf(source: BodySource): ReadableStream {
  if ("whole" in source) {
    const { whole } = source;
    return new ReadableStream({
      type: "bytes",
      pull(controller) {
        if (whole !== "") controller.enqueue(bytesOf(whole));
        controller.close();
        controller.byobRequest?.respond(0);
      },
    });
  }
  return new ReadableStream({
    type: "bytes",
    async pull(controller) {
      let part = await source.pull();
      // Nothing would ask again after a part without bytes.
      while (part === "") part = await source.pull();
      if (part !== null) return controller.enqueue(bytesOf(part));
      controller.close();
      controller.byobRequest?.respond(0);
    },
    cancel: () => source.cancel(),
  });
}

/** All bytes of a body, as a text. */
export async function drain(source: BodySource | ReadableStream): Promise<string> {
  if (!isStream(source)) {
    if ("whole" in source) return source.whole;
    let text = "";
    for (let part = await source.pull(); part !== null; part = await source.pull()) text += part;
    return text;
  }
  const reader = source.getReader();
  let text = "";
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return text;
    const bytes = bytesIn(value);
    if (bytes === null) {
      const error = new GuestTypeError(FETCH.notStream);
      void reader.cancel(error).catch(() => undefined);
      throw error;
    }
    text += latin1(bytes);
  }
}
