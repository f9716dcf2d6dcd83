import { GUEST } from "../../src/catalogue/texts.ts";
import type { ToolFileEntry, ToolFileList, ToolFileRange, ToolFiles, ToolFileStats } from "../types.ts";
import type { Call } from "./call.ts";
import { GuestTypeError, define, freeze } from "./intrinsics.ts";
import { withMounts } from "./paths.ts";
import { latin1, requestPower, type PowerReply } from "./powers.ts";
import { bytesIn, bytesOf } from "./web/bytes.ts";
import { decodeUtf8, encodeUtf8, isAscii } from "./web/utf8.ts";

/** What both of the guest's file modules ask the host for. */
export type AskFiles = (op: string, args: object, bytes?: string | null) => Promise<PowerReply>;

/** The way to the host for whichever call is current when it is asked. */
export function filesOf(callOf: () => Call | undefined): AskFiles {
  return (op, args, bytes = null) => requestPower(callOf(), "files", op, withMounts(args), bytes);
}

/** `context.fs` of a call. */
export function createFiles(callOf: () => Call | undefined): ToolFiles {
  const ask = filesOf(callOf);
  return freeze({
    async readText(path: string, range: ToolFileRange = {}) {
      return textIn(await ask("readText", { path, start: range.start, length: range.length }));
    },
    async readBytes(path: string, range: ToolFileRange = {}) {
      return bytesOf((await ask("readBytes", { path, start: range.start, length: range.length })).bytes ?? "");
    },
    async write(path: string, content: string | Uint8Array) {
      await ask("write", { path }, toBytes(content));
    },
    async append(path: string, content: string | Uint8Array) {
      await ask("append", { path }, toBytes(content));
    },
    async list(path: string) {
      const { entries, isTruncated } = (await ask("list", { path })).value as Listing;
      define(entries, "isTruncated", isTruncated);
      return entries as ToolFileList;
    },
    async stat(path: string) {
      return (await ask("stat", { path })).value as ToolFileStats;
    },
    async make(path: string) {
      await ask("make", { path });
    },
    async move(from: string, to: string) {
      await ask("move", { from, to });
    },
    async copy(from: string, to: string) {
      await ask("copy", { from, to });
    },
    async remove(path: string, options: { readonly recursive?: boolean } = {}) {
      await ask("remove", { path, isRecursive: options.recursive });
    },
    async exists(path: string) {
      try {
        await ask("stat", { path });
        return true;
      } catch (error) {
        const { code } = error as { code?: unknown };
        if (code === "ENOENT" || code === "ENOTDIR") return false;
        throw error;
      }
    },
  });
}

export interface Listing {
  readonly entries: readonly ToolFileEntry[];
  readonly isTruncated: boolean;
}

/** The text that the host read: it says in which of two forms it comes. */
export function textIn({ value, bytes }: PowerReply): string {
  const text = bytes ?? "";
  if ((value as { encoding: string }).encoding === "latin1") return text;
  return decodeUtf8(bytesOf(text));
}

/** Content to write, one character a byte; a text as UTF-8. */
export function toBytes(content: unknown): string {
  if (typeof content === "string") return isAscii(content) ? content : latin1(encodeUtf8(content));
  const bytes = bytesIn(content);
  if (bytes === null) throw new GuestTypeError(GUEST.fileContent);
  return latin1(bytes);
}
