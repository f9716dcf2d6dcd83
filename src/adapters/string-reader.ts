import { ACTION } from "../catalogue/texts.ts";

/** Why a call cannot be read, and where. */
export class ActionFault extends Error {
  override readonly name = "ActionFault";
  readonly at: number;
  /** Whether the text ended before the call did. */
  readonly isAtEnd: boolean;

  constructor(message: string, at: number, isAtEnd: boolean) {
    super(message);
    this.at = at;
    this.isAtEnd = isAtEnd;
  }
}

/** A place in a text, and the strings that stand there. Every character is looked at once. Throws ActionFault. */
export class StringReader {
  readonly text: string;
  at: number;

  constructor(text: string, at: number) {
    this.text = text;
    this.at = at;
  }

  /** The character here, or "" at the end. */
  peek(): string {
    return this.text.charAt(this.at);
  }

  /** Goes past `expected` where it stands here. */
  take(expected: string): boolean {
    const isHere = this.text.startsWith(expected, this.at);
    if (isHere) this.at += expected.length;
    return isHere;
  }

  /** Goes past what a sticky expression finds here. */
  match(sticky: RegExp): string | null {
    sticky.lastIndex = this.at;
    const found = sticky.exec(this.text)?.[0] ?? null;
    if (found !== null) this.at += found.length;
    return found;
  }

  skipSpace(): void {
    this.match(/\s*/y);
  }

  fail(message: string, at = this.at): never {
    const { length } = this.text;
    throw new ActionFault(at >= length ? ACTION.unfinished : message, at, this.at >= length);
  }

  /** A string in quotes of either kind, one of each or three. */
  readString(isRaw: boolean): string {
    const from = this.at;
    const quote = this.peek();
    const end = this.text.startsWith(quote.repeat(3), from) ? quote.repeat(3) : quote;
    const isOneLine = end.length === 1;
    this.at += end.length;
    let value = "";
    while (!this.take(end)) {
      const character = this.peek();
      if (character === "") this.fail(ACTION.quote, from);
      if (isOneLine && (character === "\n" || character === "\r")) this.fail(ACTION.lineBreak, from);
      if (character === "\\") value += isRaw ? this.#readRaw() : this.#readEscape();
      else value += this.#readPlain(quote);
    }
    return value;
  }

  // Up to what may end the string, end its line or escape something; one such quote inside three is plain, too.
  #readPlain(quote: string): string {
    const from = this.at;
    for (this.at += 1; this.at < this.text.length; this.at += 1) {
      const character = this.text.charAt(this.at);
      if (character === quote || character === "\\" || character === "\n" || character === "\r") break;
    }
    return this.text.slice(from, this.at);
  }

  // A backslash keeps what follows it from ending the string, and stays itself.
  #readRaw(): string {
    const pair = this.text.slice(this.at, this.at + 2);
    this.at += pair.length;
    return pair;
  }

  #readEscape(): string {
    const from = this.at;
    const character = this.text.charAt(from + 1);
    this.at += 2;
    switch (character) {
      case "n":
        return "\n";
      case "t":
        return "\t";
      case "r":
        return "\r";
      case "b":
        return "\b";
      case "f":
        return "\f";
      case "v":
        return "\v";
      case "a":
        return "\u0007";
      case "\\":
      case "'":
      case '"':
      case "/":
        return character;
      case "x":
        return this.#readCode(2, from);
      case "u":
        return this.#readCode(4, from);
      case "U":
        return this.#readCode(8, from);
      case "\n":
        return "";
      case "\r":
        this.take("\n");
        return "";
      default:
        if (/[\dN]/.test(character)) this.fail(ACTION.escape(character), from);
        // Not an escape at all, such as in a pattern or in a path of Windows: as Python has it, the backslash stays.
        return `\\${character}`;
    }
  }

  #readCode(digits: number, from: number): string {
    const hex = this.text.slice(this.at, this.at + digits);
    const code = Number.parseInt(hex, 16);
    if (hex.length < digits || !/^[\da-f]+$/i.test(hex) || code > 0x10_ff_ff) this.fail(ACTION.code(digits), from);
    this.at += digits;
    return String.fromCodePoint(code);
  }
}
