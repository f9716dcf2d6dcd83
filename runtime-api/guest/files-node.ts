import { GUEST } from "../../src/catalogue/texts.ts";
import type { ToolFileStats } from "../types.ts";
import type { Call } from "./call.ts";
import { filesOf, textIn, toBytes, type Listing } from "./files.ts";
import { direntOf, notAvailable, shownAs, statsOf } from "./files-shapes.ts";
import { GuestError, GuestTypeError, define, freeze, indexOf, slice } from "./intrinsics.ts";
import { bytesOf } from "./web/bytes.ts";

type Options = Readonly<Record<string, unknown>> | string | null | undefined;

/**
 * `node:fs/promises` over the host's files: the functions that have a meaning there, with Node's names, options and errors.
 * What is not here, `runtime-api/node` lists by name.
 */
export function createNodeFiles(callOf: () => Call | undefined) {
  const ask = filesOf(callOf);

  async function run(
    syscall: string,
    op: string,
    args: { readonly path?: unknown; readonly from?: unknown; readonly to?: unknown },
    bytes?: string,
  ) {
    const path = "path" in args ? args.path : args.from;
    if (typeof path !== "string" || ("to" in args && typeof args.to !== "string")) throw badPath();
    try {
      return await ask(op, args, bytes);
    } catch (error) {
      throw shownAs(error, syscall, path, args.to as string | undefined);
    }
  }
  async function statBy(syscall: string, path: unknown, isLink: boolean) {
    return (await run(syscall, "stat", { path, isLink } as { path: unknown })).value as ToolFileStats;
  }
  // Node ignores that there is nothing only where it was told to.
  async function ifThere(isForced: boolean, step: () => Promise<unknown>): Promise<void> {
    try {
      await step();
    } catch (error) {
      if (!isForced || (error as { code?: unknown }).code !== "ENOENT") throw error;
    }
  }

  return freeze({
    async readFile(path: unknown, options?: Options) {
      const encoding = encodingOf(options);
      assertFlag(options, "r");
      if (encoding === "utf8") return textIn(await run("open", "readText", { path }));
      const { bytes } = await run("open", "readBytes", { path });
      return encoding === null ? bytesOf(bytes ?? "") : (bytes ?? "");
    },
    async writeFile(path: unknown, content: unknown, options?: Options) {
      encodingOf(options);
      const flag = optionOf(options, "flag") ?? "w";
      if (flag === "a") return void (await run("open", "append", { path }, toBytes(content)));
      if (flag !== "w" && flag !== "wx") throw notAvailable("flag");
      await run("open", "write", { path, isNew: flag === "wx" } as { path: unknown }, toBytes(content));
    },
    async appendFile(path: unknown, content: unknown, options?: Options) {
      encodingOf(options);
      assertFlag(options, "a");
      await run("open", "append", { path }, toBytes(content));
    },
    async readdir(path: unknown, options?: Options) {
      if (optionOf(options, "recursive") === true) throw notAvailable("recursive");
      if (encodingOf(options) === "latin1") throw notAvailable("encoding");
      const { entries, isTruncated } = (await run("scandir", "list", { path })).value as Listing;
      if (isTruncated) throw codedError("ERR_OUT_OF_RANGE", GUEST.fileListTooLong);
      const withTypes = optionOf(options, "withFileTypes") === true;
      const found: unknown[] = [];
      for (let index = 0; index < entries.length; index += 1) {
        const entry = entries[index];
        if (entry !== undefined) found[index] = withTypes ? direntOf(entry, path as string) : entry.name;
      }
      return found;
    },
    stat: async (path: unknown, options?: Options) => statsOf(await statBy("stat", path, false), optionOf(options, "bigint") === true),
    lstat: async (path: unknown, options?: Options) => statsOf(await statBy("lstat", path, true), optionOf(options, "bigint") === true),
    // Only what is done shows whether it may be: as with Node, this tells that something is there.
    access: async (path: unknown) => void (await statBy("access", path, false)),
    async mkdir(path: unknown, options?: Options) {
      const isRecursive = optionOf(options, "recursive") === true;
      await run("mkdir", "make", { path, isAlone: !isRecursive } as { path: unknown });
      return undefined;
    },
    rename: async (from: unknown, to: unknown) => void (await run("rename", "move", { from, to })),
    async copyFile(from: unknown, to: unknown, mode: unknown = 0) {
      if (typeof mode !== "number" || (mode & ~3) !== 0) throw notAvailable("mode");
      await run("copyfile", "copy", { from, to, isNew: (mode & 1) === 1 } as { from: unknown; to: unknown });
    },
    async rm(path: unknown, options?: Options) {
      const isRecursive = optionOf(options, "recursive") === true;
      const only = isRecursive ? null : "file";
      await ifThere(optionOf(options, "force") === true, () => run("rm", "remove", { path, isRecursive, only } as { path: unknown }));
    },
    rmdir: async (path: unknown) => void (await run("rmdir", "remove", { path, only: "folder" } as { path: unknown })),
    unlink: async (path: unknown) => void (await run("unlink", "remove", { path, only: "file" } as { path: unknown })),
    async truncate(path: unknown, length: unknown = 0) {
      if (length !== 0) throw notAvailable("length");
      await statBy("open", path, false);
      await run("open", "write", { path }, "");
    },
    async mkdtemp(prefix: unknown) {
      if (typeof prefix !== "string") throw badPath();
      for (let attempt = 1; ; attempt += 1) {
        const path = prefix + randomName();
        try {
          await run("mkdtemp", "make", { path, isAlone: true } as { path: unknown });
          return path;
        } catch (error) {
          if ((error as { code?: unknown }).code !== "EEXIST" || attempt === 10) throw error;
        }
      }
    },
    constants: CONSTANTS,
  });
}

const CONSTANTS = freeze({ F_OK: 0, X_OK: 1, W_OK: 2, R_OK: 4, COPYFILE_EXCL: 1, COPYFILE_FICLONE: 2 });
const LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
const random = Math.random;

function randomName(): string {
  let name = "";
  for (let at = 0; at < 6; at += 1) {
    const index = (random() * LETTERS.length) | 0;
    name += slice(LETTERS, index, index + 1);
  }
  return name;
}

function optionOf(options: Options, name: string): unknown {
  return typeof options === "object" && options !== null ? options[name] : undefined;
}

function assertFlag(options: Options, only: string): void {
  const flag = optionOf(options, "flag") ?? only;
  if (flag !== only) throw notAvailable("flag");
}

function encodingOf(options: Options): "utf8" | "latin1" | null {
  const encoding = (typeof options === "string" ? options : optionOf(options, "encoding")) ?? null;
  if (encoding === null || encoding === "buffer") return null;
  if (typeof encoding === "string" && indexOf("|utf8|utf-8|UTF8|UTF-8|", `|${encoding}|`) >= 0) return "utf8";
  if (encoding === "latin1" || encoding === "binary") return "latin1";
  throw notAvailable("encoding");
}

function badPath(): Error {
  const error = new GuestTypeError(GUEST.filePath);
  define(error, "code", "ERR_INVALID_ARG_TYPE");
  return error;
}

function codedError(code: string, message: string): Error {
  const error = new GuestError(message);
  define(error, "code", code);
  return error;
}
