import type { ResultImage } from "../bridge/messages.ts";
import { IMAGES } from "../catalogue/texts.ts";

/** A picture of a result, its type told by its bytes. */
export interface OutcomeImage {
  readonly mediaType: "image/png" | "image/jpeg" | "image/gif" | "image/webp";
  /** Base64. */
  readonly data: string;
  readonly forOwner: boolean;
}

const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/u;
const HEAD_CHARS = 24;

/** The pictures as an outcome has them, or a sentence that says why one is none. */
export function checkImages(
  images: readonly ResultImage[],
  limits: { readonly imageCount: number; readonly imageBytes: number },
): readonly OutcomeImage[] | string {
  if (images.length > limits.imageCount) return IMAGES.tooMany(images.length, limits.imageCount);
  const checked: OutcomeImage[] = [];
  for (const [index, { data, forOwner }] of images.entries()) {
    const bytes = (data.length * 3) / 4 - paddingOf(data);
    if (bytes > limits.imageBytes) return IMAGES.tooLarge(index, Math.floor(bytes), limits.imageBytes);
    if (data.length % 4 !== 0 || !BASE64.test(data)) return IMAGES.notBase64(index);
    const mediaType = typeOf(Buffer.from(data.slice(0, HEAD_CHARS), "base64"));
    if (mediaType === null) return IMAGES.unknownType(index);
    checked.push({ mediaType, data, forOwner });
  }
  return checked;
}

// Bytes that the last four characters of base64 do not stand for.
function paddingOf(data: string): number {
  return data.endsWith("==") ? 2 : data.endsWith("=") ? 1 : 0;
}

function typeOf(head: Buffer): OutcomeImage["mediaType"] | null {
  const text = head.toString("latin1");
  if (text.startsWith("\x89PNG\r\n\x1a\n")) return "image/png";
  if (text.startsWith("\xff\xd8\xff")) return "image/jpeg";
  if (text.startsWith("GIF87a") || text.startsWith("GIF89a")) return "image/gif";
  if (text.startsWith("RIFF") && text.slice(8, 12) === "WEBP") return "image/webp";
  return null;
}
