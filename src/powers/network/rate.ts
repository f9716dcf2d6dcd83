import { NETWORK } from "../../catalogue/texts.ts";
import { overLimit } from "../power.ts";

const MINUTE_MS = 60_000;

/** Holds each capability to so many requests a minute, all its calls together: a bucket that fills steadily. */
export class Rate {
  readonly #perMinute: number;
  readonly #buckets = new Map<string, { left: number; at: number }>();

  constructor(perMinute: number) {
    this.#perMinute = perMinute;
  }

  /** Throws PowerError when there have been too many. */
  take(capability: string): void {
    const now = performance.now();
    const bucket = this.#buckets.get(capability) ?? { left: this.#perMinute, at: now };
    bucket.left = Math.min(this.#perMinute, bucket.left + ((now - bucket.at) * this.#perMinute) / MINUTE_MS);
    bucket.at = now;
    this.#buckets.set(capability, bucket);
    if (bucket.left < 1) throw overLimit(NETWORK.rate(this.#perMinute));
    bucket.left -= 1;
  }
}
