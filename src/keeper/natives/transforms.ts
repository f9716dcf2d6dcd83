import { Refusal } from "./arguments.ts";
import type { Transform } from "./transform.ts";

interface Open {
  readonly transform: Transform;
  readonly owner: number;
}

/** The transforms that calls of this cell have open: so many and no more, each gone with its call. */
export class Transforms {
  readonly #open = new Map<number, Open>();
  #last = 0;

  add(owner: number, largestCount: number, open: () => Transform): number {
    if (this.#open.size >= largestCount) throw new Refusal("count");
    const transform = open();
    this.#last += 1;
    this.#open.set(this.#last, { transform, owner });
    return this.#last;
  }

  get(number: number): Transform {
    const open = this.#open.get(number);
    if (open === undefined) throw new Refusal("state");
    return open.transform;
  }

  /** What is open no longer once it has given all. */
  end(number: number, tag: Uint8Array): Uint8Array {
    const transform = this.get(number);
    try {
      const bytes = transform.end(tag);
      if (transform.hasEnded) this.drop(number);
      return bytes;
    } catch (error) {
      this.drop(number);
      throw error;
    }
  }

  drop(number: number): void {
    this.#open.get(number)?.transform.close();
    this.#open.delete(number);
  }

  dropOf(owner: number): void {
    for (const [number, open] of this.#open) if (open.owner === owner) this.drop(number);
  }
}
