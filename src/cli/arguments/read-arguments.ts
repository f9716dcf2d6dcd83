import { isJsonObject, type JsonObject } from "../../catalogue/json.ts";
import { CLI } from "../../catalogue/texts.ts";
import { UsageError } from "../command-line.ts";
import { findProperty, toKebab, type Target } from "./property-names.ts";
import { readValue } from "./read-value.ts";
import { SchemaReader, type JsonType } from "./shape.ts";
import { createSources, type Sources } from "./sources.ts";

export interface ArgumentWords {
  readonly words: readonly string[];
  /** Where in them a `--` stood: from there on no word is a flag of toolcell's. Their length where there was none. */
  readonly firstLiteral: number;
}

type Arguments = Record<string, unknown>;

/**
 * A tool's arguments from the words after its name: the first required text by itself, `--name value`, `name=value`, a JSON
 * object, or `-` for one on stdin; what is said last counts. Throws UsageError.
 */
export async function readArguments({ words, firstLiteral }: ArgumentWords, schema: JsonObject): Promise<Arguments> {
  const reader = new WordReader(schema);
  for (let at = 0; at < words.length;) at += await reader.take(words, at, firstLiteral);
  return reader.args;
}

/** The property that the first bare word is the value of: the first required one that takes a text. */
export function positionalOf(reader: SchemaReader): string | null {
  const { properties, required } = reader.of(reader.root);
  const found = [...properties].find(([name, schema]) => required.has(name) && reader.of(schema).shape.types?.has("string") === true);
  return found?.[0] ?? null;
}

class WordReader {
  readonly args = makeObject();
  readonly #reader: SchemaReader;
  readonly #sources: Sources = createSources();
  readonly #positional: string | null;

  constructor(schema: JsonObject) {
    this.#reader = new SchemaReader(schema);
    this.#positional = positionalOf(this.#reader);
  }

  /** Takes the word at `at`, and the next one where that is its value. Resolves with how many it took. */
  async take(words: readonly string[], at: number, firstLiteral: number): Promise<1 | 2> {
    const word = words[at] ?? "";
    if (at >= firstLiteral && this.#takePositional(word)) return 1;
    if (word === "-" || word.trimStart().startsWith("{")) this.#takeObject(word === "-" ? await this.#sources.readStdin() : word);
    else if (word.startsWith("--")) return await this.#takeFlag(word, words[at + 1], at + 1 >= firstLiteral);
    else if (!(await this.#takeAssignment(word)) && !this.#takeBare(word)) throw new UsageError(this.#strayWord(word));
    return 1;
  }

  #takeObject(json: string): void {
    let value: unknown;
    try {
      value = JSON.parse(json);
    } catch (error) {
      throw new UsageError(CLI.badJson(error instanceof Error ? error.message : ""), { cause: error });
    }
    if (!isJsonObject(value)) throw new UsageError(CLI.notObject);
    for (const [name, item] of Object.entries(value)) define(this.args, name, item);
  }

  async #takeFlag(word: string, next: string | undefined, isNextLiteral: boolean): Promise<1 | 2> {
    const equals = word.indexOf("=");
    const label = equals < 0 ? word : word.slice(0, equals);
    const listed = this.#find(label.slice(2));
    const denied = listed === null && equals < 0 ? this.#deniedBy(label) : null;
    if (denied !== null) return this.#set(denied, false);
    const target = listed ?? this.#ofOpen(label.slice(2));
    if (target === null) throw new UsageError(CLI.unknownArgument(label, this.#names()));
    if (equals > 0) return await this.#put(target, word.slice(equals + 1), label);
    const hasValue = next !== undefined && (isNextLiteral || !next.startsWith("--"));
    if (this.#isSwitch(target, hasValue) && (isNextLiteral || (next !== "true" && next !== "false"))) return this.#set(target, true);
    if (!hasValue) throw new UsageError(next === undefined ? CLI.missingValue(label) : CLI.dashedValue(label, next));
    if (isNextLiteral) this.#putText(target, next, label);
    else await this.#put(target, next, label);
    return 2;
  }

  /** `name=value`, where there is such a name. */
  async #takeAssignment(word: string): Promise<boolean> {
    const equals = word.indexOf("=");
    if (equals <= 0) return false;
    const name = word.slice(0, equals);
    const target = this.#find(name) ?? (this.#positionalIsFree() ? null : this.#ofOpen(name));
    if (target === null) return false;
    await this.#put(target, word.slice(equals + 1), name);
    return true;
  }

  // A short flag is none of ours: a word that looks like one is more likely a slip than a value.
  #takeBare(word: string): boolean {
    return !/^-\D/u.test(word) && this.#takePositional(word);
  }

  // As it is: whoever passes on what somebody else wrote must not send a file by it.
  #takePositional(word: string): boolean {
    if (this.#positional === null || !this.#positionalIsFree()) return false;
    this.#putText({ path: [this.#positional], schema: this.#reader.of(this.#reader.root).properties.get(this.#positional) }, word, "");
    return true;
  }

  #positionalIsFree(): boolean {
    return this.#positional !== null && !Object.hasOwn(this.args, this.#positional);
  }

  #find(name: string): Target | null {
    return findProperty(this.#reader, this.#reader.root, name);
  }

  /** A name that the schema does not list, where it takes any. */
  #ofOpen(name: string): Target | null {
    return this.#reader.of(this.#reader.root).isOpen ? { path: [name], schema: undefined } : null;
  }

  /** `--no-name`, where there is a switch of that name. */
  #deniedBy(label: string): Target | null {
    const target = label.startsWith("--no-") ? this.#find(label.slice("--no-".length)) : null;
    return target !== null && this.#isSwitch(target, true) ? target : null;
  }

  /** Whether a flag alone says true: it takes nothing else, or there is nothing that it could take. */
  #isSwitch({ schema }: Target, hasValue: boolean): boolean {
    const { types } = this.#reader.of(schema).shape;
    if (types === null || !types.has("boolean")) return false;
    return !hasValue || [...types].every((type) => type === "boolean" || type === "null");
  }

  async #put(target: Target, word: string, label: string): Promise<1> {
    return this.#putText(target, await this.#sources.readWord(word), label);
  }

  #putText({ path, schema }: Target, word: string, label: string): 1 {
    const { shape, items } = this.#reader.of(schema);
    const called = label === "" ? path.join(".") : label;
    const before = valueAt(this.args, path);
    if (isWhole(word, shape.types, before)) return this.#set({ path }, readValue(word, shape, called));
    const item = readValue(word, this.#reader.of(items).shape, called);
    const list = Array.isArray(before) ? (before as unknown[]) : before === undefined ? [] : [before];
    return this.#set({ path }, [...list, item]);
  }

  #set({ path }: Pick<Target, "path">, value: unknown): 1 {
    let at = this.args;
    for (const name of path.slice(0, -1)) {
      const inner = Object.hasOwn(at, name) ? at[name] : undefined;
      // Not the object that was there: it may be one that JSON.parse made, where `__proto__` is more than a name.
      const own: Arguments = isJsonObject(inner) ? Object.assign(makeObject(), inner) : makeObject();
      define(at, name, own);
      at = own;
    }
    define(at, path.at(-1) ?? "", value);
    return 1;
  }

  #strayWord(word: string): string {
    const equals = word.indexOf("=");
    if (equals > 0) return CLI.unknownArgument(word.slice(0, equals), this.#names());
    return /^-\D/u.test(word) ? CLI.shortFlag(word) : CLI.strayWord(word);
  }

  #names(): readonly string[] {
    return [...this.#reader.of(this.#reader.root).properties.keys()].map((name) => `--${toKebab(name)}`);
  }
}

/** Whether a word is the whole value, and not one item of a list that grows with each repetition. */
function isWhole(word: string, types: ReadonlySet<JsonType> | null, before: unknown): boolean {
  if (types === null || !types.has("array") || word.trimStart().startsWith("[")) return true;
  return (types.has("null") && word === "null") || (types.has("string") && before === undefined);
}

function valueAt(args: Arguments, path: readonly string[]): unknown {
  let at: unknown = args;
  for (const name of path) at = isJsonObject(at) && Object.hasOwn(at, name) ? at[name] : undefined;
  return at;
}

function makeObject(): Arguments {
  return Object.create(null) as Arguments;
}

function define(target: Arguments, name: string, value: unknown): void {
  Object.defineProperty(target, name, { value, enumerable: true, writable: true, configurable: true });
}
