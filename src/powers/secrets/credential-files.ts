import { statSync } from "node:fs";
import { isJsonObject, type Json, type JsonObject } from "../../catalogue/json.ts";
import { CREDENTIALS } from "../../catalogue/texts.ts";
import { readOwnFile } from "./whole-file.ts";

/** A place that cannot be read: what comes after it is not looked at either. The message shows no path of the machine. */
export class PlaceFault extends Error {
  override readonly name = "PlaceFault";
}

const FILE_BYTES = 1024 * 1024;

/** A file of JSON that its owner writes, as an object; an empty one where there is none. Throws PlaceFault. */
export function readJsonFile(file: string, shown: string): JsonObject {
  const text = readText(file, shown);
  if (text === null) return {};
  const json = parse(text, shown);
  if (!isJsonObject(json)) throw new PlaceFault(CREDENTIALS.notObject(shown));
  return json;
}

/** Another one whenever the file has been written. */
export function stampOf(file: string): string {
  const stats = statSync(file, { bigint: true, throwIfNoEntry: false });
  return stats === undefined ? "none" : `${stats.ino} ${stats.size} ${stats.mtimeNs}`;
}

/** A value of the object's own, as text; null where there is none or it is empty. Throws PlaceFault. */
export function textOf(object: JsonObject, name: string, shown: string): string | null {
  const value = ownOf(object, name);
  if (value === undefined || value === null) return null;
  if (typeof value !== "string") throw new PlaceFault(CREDENTIALS.notText(shown));
  return value.trim() === "" ? null : value;
}

/** An object of the object's own; an empty one where there is none. Throws PlaceFault. */
export function objectOf(object: JsonObject, name: string, shown: string): JsonObject {
  const value = ownOf(object, name) ?? {};
  if (!isJsonObject(value)) throw new PlaceFault(CREDENTIALS.notObject(shown));
  return value;
}

function ownOf(object: JsonObject, name: string): Json | undefined {
  return Object.hasOwn(object, name) ? object[name] : undefined;
}

function readText(file: string, shown: string): string | null {
  try {
    const read = readOwnFile(file, FILE_BYTES);
    if (read === null) return null;
    if (read.text === null) throw new PlaceFault(CREDENTIALS.notFile(shown, FILE_BYTES));
    return read.text;
  } catch (error) {
    if (error instanceof PlaceFault) throw error;
    const { code = "unknown error" } = error as NodeJS.ErrnoException;
    // Of a folder that is a file, nothing is missing: it is not there.
    if (code === "ENOTDIR") return null;
    throw new PlaceFault(code === "ELOOP" ? CREDENTIALS.notFile(shown, FILE_BYTES) : CREDENTIALS.fileUnreadable(shown, code));
  }
}

function parse(text: string, shown: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    // The parser's own words quote the text, and with it what is secret.
    const [place = ""] = / \(line \d+ column \d+\)$/u.exec(error instanceof Error ? error.message : "") ?? [];
    throw new PlaceFault(CREDENTIALS.notJson(shown, place));
  }
}
