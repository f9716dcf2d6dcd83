import type { Json } from "../catalogue/json.ts";
import { ACTION } from "../catalogue/texts.ts";
import { StringReader } from "./string-reader.ts";

const WORD = /[\p{ID_Start}_$][\p{ID_Continue}$-]*/uy;
const NUMBER = /[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?/y;
const WORD_PART = /[\p{ID_Continue}$.]/u;

/** Reads the literals of a call: strings, numbers, true, false, null, lists and objects of these. Throws ActionFault. */
export class LiteralReader extends StringReader {
  readonly #depthCount: number;

  constructor(text: string, at: number, depthCount: number) {
    super(text, at);
    this.#depthCount = depthCount;
  }

  /** The value that stands here, `depth` levels inside the arguments. */
  readValue(depth: number): Json {
    const character = this.peek();
    if (character === '"' || character === "'") return this.readString(false);
    if (character === "[") return this.#readList(depth + 1);
    if (character === "{") return this.#readObject(depth + 1);
    if (character === "(") this.fail(ACTION.tuple);
    if (/[-+.\d]/.test(character)) return this.#readNumber();
    return this.#readWord();
  }

  /** A bare name such as an argument's, or null where none stands. */
  readName(): string | null {
    return this.match(WORD);
  }

  /** Members of an object up to its end, each read by `readKey` and its mark. */
  readMembers(into: Record<string, Json>, end: string, depth: number, readKey: () => string): void {
    this.skipSpace();
    while (!this.take(end)) {
      const from = this.at;
      const key = readKey();
      if (Object.hasOwn(into, key)) this.fail(ACTION.twice(key), from);
      this.skipSpace();
      define(into, key, this.readValue(depth));
      this.#endItem(end);
    }
  }

  #readList(depth: number): Json {
    this.#assertDepth(depth);
    this.take("[");
    this.skipSpace();
    const items: Json[] = [];
    while (!this.take("]")) {
      items.push(this.readValue(depth));
      this.#endItem("]");
    }
    return items;
  }

  #readObject(depth: number): Json {
    this.#assertDepth(depth);
    this.take("{");
    const object: Record<string, Json> = {};
    this.readMembers(object, "}", depth, () => {
      if (!/["']/.test(this.peek())) this.fail(ACTION.objectKey);
      const key = this.readString(false);
      this.skipSpace();
      if (!this.take(":")) this.fail(ACTION.colon(key));
      return key;
    });
    return object;
  }

  // A comma, which may also be the last thing before the end, or the end itself, which is left standing.
  #endItem(end: string): void {
    this.skipSpace();
    if (!this.take(",") && this.peek() !== end) this.fail(ACTION.separator(end));
    this.skipSpace();
  }

  #readNumber(): number {
    const from = this.at;
    const text = this.match(NUMBER) ?? "";
    if (text === "" || WORD_PART.test(this.peek())) this.fail(ACTION.number, from);
    if (/^[+-]?0\d/.test(text)) this.fail(ACTION.leadingZero, from);
    const value = Number(text);
    const isWhole = /^[+-]?\d+$/.test(text);
    if (isWhole && !Number.isSafeInteger(value)) this.fail(ACTION.integerRange, from);
    // Past either end of what a number holds it would be another one than was written.
    const isLost = value === 0 && /^[^eE]*[1-9]/.test(text);
    if (!Number.isFinite(value) || isLost) this.fail(ACTION.numberRange, from);
    return value;
  }

  #readWord(): Json {
    const from = this.at;
    const word = this.readName();
    if (word === null) this.fail(this.peek() === "" ? ACTION.unfinished : ACTION.value);
    if (/["']/.test(this.peek())) return this.#readPrefixed(word, from);
    switch (word) {
      case "true":
      case "True":
        return true;
      case "false":
      case "False":
        return false;
      case "null":
      case "None":
        return null;
      default:
        this.skipSpace();
        return this.fail(this.peek() === "(" ? ACTION.nested(word) : ACTION.word(word), from);
    }
  }

  #readPrefixed(prefix: string, from: number): string {
    switch (prefix) {
      case "r":
      case "R":
        return this.readString(true);
      case "u":
      case "U":
        return this.readString(false);
      default:
        return this.fail(ACTION.prefix(prefix), from);
    }
  }

  #assertDepth(depth: number): void {
    if (depth > this.#depthCount) this.fail(ACTION.depth(this.#depthCount));
  }
}

// `__proto__` is a name like any other here: what it means is for the engine to say.
function define(into: Record<string, Json>, key: string, value: Json): void {
  Object.defineProperty(into, key, { value, enumerable: true, configurable: true, writable: true });
}
