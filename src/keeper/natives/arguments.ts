import { isUint8Array } from "node:util/types";
import type { NativeFault } from "../../bridge/natives.ts";

/** Why an op gives nothing. It never leaves the keeper: the guest is told its code. */
export class Refusal extends Error {
  readonly fault: NativeFault;

  constructor(fault: NativeFault) {
    super(fault);
    this.fault = fault;
  }
}

/** The arguments of one call, each read with its type and its bounds. */
export class Arguments {
  readonly #values: readonly unknown[];

  constructor(values: readonly unknown[]) {
    this.#values = values;
  }

  get a(): number {
    return this.#number(1);
  }

  get b(): number {
    return this.#number(2);
  }

  get c(): number {
    return this.#number(3);
  }

  x(largest: number): Uint8Array {
    return this.#bytes(4, largest);
  }

  y(largest: number): Uint8Array {
    return this.#bytes(5, largest);
  }

  z(largest: number): Uint8Array {
    return this.#bytes(6, largest);
  }

  w(largest: number): Uint8Array {
    return this.#bytes(7, largest);
  }

  #number(index: number): number {
    const value = this.#values[index];
    if (typeof value !== "number" || !Number.isSafeInteger(value) || value < 0) throw new Refusal("arguments");
    return value;
  }

  // Absent is empty.
  #bytes(index: number, largest: number): Uint8Array {
    const value = this.#values[index];
    if (value === undefined) return NONE;
    if (!isUint8Array(value)) throw new Refusal("arguments");
    if (value.length > largest) throw new Refusal("size");
    return value;
  }
}

const NONE = new Uint8Array(0);

export function assertWithin(value: number, least: number, largest: number): void {
  if (value < least || value > largest) throw new Refusal("size");
}
