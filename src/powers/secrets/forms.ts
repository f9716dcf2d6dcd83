/** One way in which a value may be written. */
export interface Form {
  readonly name: string;
  readonly text: string;
  readonly bytes: Buffer;
}

/**
 * The forms of a secret that are looked for: as it is, and as common encoders write it, on its own or inside something longer.
 * A form that is none of these (reversed, compressed, encrypted, spelled out) gets through: that is why a guest holds no value.
 */
export function formsOf(name: string, value: string): readonly Form[] {
  const bytes = Buffer.from(value);
  const json = JSON.stringify(value).slice(1, -1);
  const percent = encodeURIComponent(value);
  const strict = percent.replace(/[!'()*]/gu, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`);
  const hex = bytes.toString("hex");
  const everyByte = hex.replace(/../gu, "%$&");
  const encoded = bytes.toString("base64");
  const texts = new Set([
    value,
    value.trim(),
    json,
    json.replaceAll("/", "\\/"),
    json.replace(/[\u0080-\uffff]/gu, (char) => escapeUnits(char)),
    ...[percent, strict, percent.replaceAll("%20", "+"), everyByte].flatMap((text) => [text, lowerEscapes(text), upperEscapes(text)]),
    ...htmlForms(value),
    hex,
    hex.toUpperCase(),
    ...[encoded, encoded.replace(/=+$/u, ""), ...base64Cores(bytes)].flatMap((text) => [text, toUrlAlphabet(text)]),
  ]);
  return [...texts].map((text) => ({ name, text, bytes: Buffer.from(text) }));
}

// What stands of a value inside a longer base64 text, for each of the three places it may begin at: the characters that hold
// nothing but the value's own bits.
function base64Cores(bytes: Buffer): readonly string[] {
  return [0, 1, 2].map((before) => {
    const encoded = Buffer.concat([Buffer.alloc(before), bytes]).toString("base64");
    return encoded.slice(Math.ceil((before * 8) / 6), Math.floor(((before + bytes.length) * 8) / 6));
  });
}

function toUrlAlphabet(base64: string): string {
  return base64.replaceAll("+", "-").replaceAll("/", "_");
}

function htmlForms(value: string): readonly string[] {
  const escaped = value.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
  const quoted = escaped.replaceAll('"', "&quot;");
  return [escaped, quoted, quoted.replaceAll("'", "&#39;"), quoted.replaceAll("'", "&#x27;")];
}

function lowerEscapes(text: string): string {
  return text.replace(/%[0-9A-Fa-f]{2}/gu, (escape) => escape.toLowerCase());
}

function upperEscapes(text: string): string {
  return text.replace(/%[0-9A-Fa-f]{2}/gu, (escape) => escape.toUpperCase());
}

function escapeUnits(char: string): string {
  let text = "";
  for (let at = 0; at < char.length; at += 1) text += `\\u${char.charCodeAt(at).toString(16).padStart(4, "0")}`;
  return text;
}
