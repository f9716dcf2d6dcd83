/** What the text of a model is made of where it is not one string. */
type Block = Readonly<Record<string, unknown>>;

interface Image {
  readonly mediaType: string;
  readonly data: string;
}

export function isBlocks(value: unknown): value is readonly Block[] {
  return Array.isArray(value) && value.length > 0 && value.every((block) => typeof block === "object" && block !== null && "type" in block);
}

/** The texts one after the other, and the images that stand in the blocks themselves; of anything else its JSON. */
export function fromBlocks(
  blocks: readonly Block[],
  payload: unknown,
): { readonly text: string; readonly images: readonly Image[]; readonly payload: unknown } {
  const texts: string[] = [];
  const images: Image[] = [];
  for (const block of blocks) {
    const image = imageOf(block);
    if (image !== null) images.push(image);
    else texts.push(typeof block["text"] === "string" ? block["text"] : JSON.stringify(block));
  }
  return { text: texts.join("\n"), images, payload: payload ?? null };
}

/** A value is its JSON, also where one of its keys is called `text`. */
export function toJsonResult(value: unknown): unknown {
  if (typeof value !== "object" || value === null || typeof (value as { readonly text?: unknown }).text !== "string") return value;
  return { text: JSON.stringify(value), payload: value };
}

const DATA_URL = /^data:(image\/[a-z0-9.+-]+);base64,/u;

function imageOf(block: Block): Image | null {
  const { type, image_url: link, data, mediaType, mime_type: snakeType, mimeType = snakeType, source_type: sourceType } = block;
  if (type === "image_url") {
    const url: unknown = typeof link === "object" && link !== null ? (link as { readonly url?: unknown }).url : link;
    const [prefix, media] = typeof url === "string" ? (DATA_URL.exec(url) ?? []) : [];
    return prefix === undefined || media === undefined ? null : { mediaType: media, data: (url as string).slice(prefix.length) };
  }
  if (type !== "image" && type !== "image-data" && type !== "file" && type !== "file-data" && type !== "media") return null;
  const kind = mediaType ?? mimeType;
  const bytes = typeof data === "object" && data !== null ? (data as { readonly data?: unknown }).data : data;
  if (typeof kind !== "string" || !kind.startsWith("image/") || typeof bytes !== "string") return null;
  return sourceType === undefined || sourceType === "base64" ? { mediaType: kind, data: bytes } : null;
}
