import type { Permissions } from "../permissions.ts";

/** Where a text that may name secrets is about to go. */
export interface SecretTarget {
  readonly capability: string;
  /** Canonical: lower case, punycode, without a final dot; an IPv6 address in brackets. */
  readonly host: string;
  readonly port: number;
  readonly isDefaultPort: boolean;
  readonly permissions: Permissions;
}

/** Takes what a server gives, in order, and gives it back with the values of secrets made unreadable. */
export interface SecretMask {
  push(chunk: Buffer): Buffer;
  /** What was held back for a value that might have begun. */
  end(): Buffer;
}

/**
 * Puts values of secrets into what leaves, and takes them out of what comes back: a guest names a secret and never holds
 * it. The network applies it right before it sends, on each hop anew.
 */
export interface SecretInjector {
  /** The text with each secret that it names put in. Throws PowerError where one may not go to the target. */
  inject(text: string, target: SecretTarget): string;
  createMask(capability: string): SecretMask;
  maskText(capability: string, text: string): string;
}

export const NO_SECRETS: SecretInjector = {
  inject: (text) => text,
  createMask: () => ({ push: (chunk) => chunk, end: () => Buffer.alloc(0) }),
  maskText: (_capability, text) => text,
};
