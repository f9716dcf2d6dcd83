import { loadEncodings, type Encodings } from "./libraries.js";
import { FETCH, WEB } from "../../../src/catalogue/texts.ts";
import { GuestRangeError, GuestTypeError, slice, toText } from "../intrinsics.ts";
import { bytesIn, kindOfView } from "./bytes.ts";
import { assertArguments, installInterface, toDictionary } from "./interface.ts";
import { createUtf8Decoder, encodeUtf8, writeUtf8, type Utf8Decoder } from "./utf8.ts";

const GuestUint8Array = Uint8Array;
type LegacyDecoder = InstanceType<Encodings["TextDecoder"]>;

/** TextEncoder (Encoding Standard, 7.4). */
export class TextEncoder {
  readonly #encoding = "utf-8";

  get encoding(): string {
    return this.#encoding;
  }

  encode(input: unknown = ""): Uint8Array<ArrayBuffer> {
    void this.#encoding;
    return encodeUtf8(toText(input));
  }

  encodeInto(source: unknown, destination: unknown): { read: number; written: number } {
    void this.#encoding;
    assertArguments(arguments.length, 2, "TextEncoder.encodeInto");
    const text = toText(source);
    if (kindOfView(destination) !== "Uint8Array") throw new GuestTypeError(WEB.notUint8Array);
    return writeUtf8(text, destination as Uint8Array);
  }
}

/**
 * TextDecoder (Encoding Standard, 7.2). UTF-8 is decoded here, past whatever a package does to its prototypes; the older
 * encodings by a library, whose tables are unpacked when one of them is first asked for.
 */
export class TextDecoder {
  readonly #encoding: string;
  readonly #fatal: boolean;
  readonly #ignoreBom: boolean;
  readonly #utf8: Utf8Decoder | null;
  #legacy: LegacyDecoder | null = null;
  #goesOn = false;

  constructor(label: unknown = "utf-8", options: unknown = undefined) {
    const text = toText(label);
    const { fatal, ignoreBOM } = toDictionary(options, "TextDecoderOptions");
    this.#encoding = isUtf8(text) ? "utf-8" : nameOf(text);
    this.#fatal = Boolean(fatal);
    this.#ignoreBom = Boolean(ignoreBOM);
    this.#utf8 = this.#encoding === "utf-8" ? createUtf8Decoder(this.#fatal, this.#ignoreBom) : null;
  }

  get encoding(): string {
    return this.#encoding;
  }

  get fatal(): boolean {
    return this.#fatal;
  }

  get ignoreBOM(): boolean {
    return this.#ignoreBom;
  }

  decode(input: unknown = undefined, options: unknown = undefined): string {
    const bytes = input === undefined ? new GuestUint8Array() : bytesIn(input);
    if (bytes === null) throw new GuestTypeError(FETCH.notBytes);
    const stream = Boolean(toDictionary(options, "TextDecodeOptions")["stream"]);
    const text = this.#utf8 === null ? this.#decodeLegacy(bytes, stream) : this.#utf8.decode(bytes, stream);
    if (text === null) throw new GuestTypeError(WEB.malformed(this.#encoding));
    return text;
  }

  #decodeLegacy(bytes: Uint8Array, stream: boolean): string | null {
    if (!this.#goesOn || this.#legacy === null)
      this.#legacy = new (loadEncodings().TextDecoder)(this.#encoding, { fatal: this.#fatal, ignoreBOM: this.#ignoreBom });
    this.#goesOn = stream;
    try {
      return this.#legacy.decode(bytes, { stream });
    } catch (error) {
      if (this.#fatal) return null;
      throw error;
    }
  }
}

export function installEncoding(target: object): void {
  installInterface(target, "TextEncoder", TextEncoder);
  installInterface(target, "TextDecoder", TextDecoder);
}

// Under its usual names it needs no library.
function isUtf8(label: string): boolean {
  return label === "utf-8" || label === "utf8" || label === "UTF-8" || label === "UTF8";
}

function nameOf(label: string): string {
  const name = loadEncodings().normalizeEncoding(label);
  if (name === null || name === "replacement") throw new GuestRangeError(WEB.noEncoding(slice(label, 0, 40)));
  return name;
}
