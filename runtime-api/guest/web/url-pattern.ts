import { installInterface } from "./interface.ts";
import { loadUrlPattern, type Pattern } from "./libraries.js";

/**
 * URLPattern (URL Pattern Standard, 1.2) over urlpattern-polyfill: the standard's own algorithms on this realm's URL and RegExp,
 * in 19 KB, evaluated for the first pattern.
 */
class URLPattern {
  readonly #pattern: Pattern;

  constructor(input: unknown = {}, base: unknown = undefined, options: unknown = undefined) {
    const Impl = loadUrlPattern();
    const count = arguments.length;
    this.#pattern = count > 2 ? new Impl(input, base, options) : count > 1 ? new Impl(input, base) : new Impl(input);
  }

  test(input: unknown = {}, base: unknown = undefined): boolean {
    return this.#pattern.test(input, base);
  }

  exec(input: unknown = {}, base: unknown = undefined): object | null {
    return this.#pattern.exec(input, base);
  }

  get protocol(): string {
    return this.#pattern.protocol;
  }

  get username(): string {
    return this.#pattern.username;
  }

  get password(): string {
    return this.#pattern.password;
  }

  get hostname(): string {
    return this.#pattern.hostname;
  }

  get port(): string {
    return this.#pattern.port;
  }

  get pathname(): string {
    return this.#pattern.pathname;
  }

  get search(): string {
    return this.#pattern.search;
  }

  get hash(): string {
    return this.#pattern.hash;
  }

  get hasRegExpGroups(): boolean {
    return this.#pattern.hasRegExpGroups;
  }
}

export function installUrlPattern(target: object): void {
  installInterface(target, "URLPattern", URLPattern);
}
