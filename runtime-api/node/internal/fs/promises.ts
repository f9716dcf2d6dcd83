import { Buffer } from "../../buffer.ts";
import { codes } from "../errors.ts";
import { realm } from "../realm.ts";
import { toolcell } from "../toolcell.ts";
import { fileURLToPath } from "../url.ts";
import { normalizeEncoding } from "../util.ts";

type Options = Readonly<Record<string, unknown>> | string | null | undefined;
type HostFunction = (...args: unknown[]) => Promise<unknown>;

const { fs: files } = toolcell();
const ask = (name: string, ...args: unknown[]): Promise<unknown> => (files[name] as HostFunction)(...args);

/** `node:fs/promises` over the mounts: the runtime's functions, with Node's paths, buffers and encodings. */
export const promises = {
  constants: files["constants"],
  async readFile(path: unknown, options?: Options) {
    const encoding = encodingOf(options);
    const rest = typeof options === "object" && options !== null ? { ...options, encoding: null } : undefined;
    if (encoding === "utf8") return await ask("readFile", pathOf(path), { ...rest, encoding: "utf8" });
    const bytes = (await ask("readFile", pathOf(path), rest)) as Uint8Array;
    const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    return encoding === null ? buffer : buffer.toString(encoding);
  },
  writeFile: async (path: unknown, data: unknown, options?: Options) =>
    await ask("writeFile", pathOf(path), await contentOf(data, options), withoutEncoding(options)),
  appendFile: async (path: unknown, data: unknown, options?: Options) =>
    await ask("appendFile", pathOf(path), await contentOf(data, options), withoutEncoding(options)),
  access: async (path: unknown, mode?: unknown) => await ask("access", pathOf(path), mode),
  stat: async (path: unknown, options?: Options) => await ask("stat", pathOf(path), options),
  lstat: async (path: unknown, options?: Options) => await ask("lstat", pathOf(path), options),
  mkdir: async (path: unknown, options?: Options) => await ask("mkdir", pathOf(path), options),
  mkdtemp: async (prefix: unknown) => await ask("mkdtemp", pathOf(prefix)),
  readdir: async (path: unknown, options?: Options) => await ask("readdir", pathOf(path), options),
  rename: async (from: unknown, to: unknown) => await ask("rename", pathOf(from), pathOf(to)),
  copyFile: async (from: unknown, to: unknown, mode?: unknown) => await ask("copyFile", pathOf(from), pathOf(to), mode),
  rm: async (path: unknown, options?: Options) => await ask("rm", pathOf(path), options),
  rmdir: async (path: unknown) => await ask("rmdir", pathOf(path)),
  unlink: async (path: unknown) => await ask("unlink", pathOf(path)),
  truncate: async (path: unknown, length?: unknown) => await ask("truncate", pathOf(path), length),
};

/** A path as text: Node takes a file: URL and a Buffer for one too. */
export function pathOf(path: unknown): unknown {
  if (path instanceof realm.URL) return fileURLToPath(path);
  return Buffer.isBuffer(path) ? String(path) : path;
}

function encodingOf(options: Options): string | null {
  const asked = typeof options === "string" ? options : options?.["encoding"];
  if (asked === undefined || asked === null || asked === "buffer") return null;
  const known = normalizeEncoding(asked);
  if (known === undefined) throw new codes.ERR_INVALID_ARG_VALUE("encoding", asked, "is invalid encoding");
  return known;
}

function withoutEncoding(options: Options): Options {
  return typeof options === "object" && options !== null ? { ...options, encoding: null } : undefined;
}

async function contentOf(data: unknown, options: Options): Promise<unknown> {
  if (typeof data === "string") {
    const encoding = encodingOf(options) ?? "utf8";
    return encoding === "utf8" ? data : Buffer.from(data, encoding);
  }
  const isStream = typeof data === "object" && data !== null && !ArrayBuffer.isView(data) && Symbol.asyncIterator in data;
  if (!isStream) return data;
  const parts: Uint8Array[] = [];
  for await (const chunk of data as AsyncIterable<unknown>) parts.push(Buffer.from(chunk));
  return Buffer.concat(parts);
}
