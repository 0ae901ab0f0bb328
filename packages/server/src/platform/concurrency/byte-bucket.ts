/** Bytes that somebody may use: some at once, and after that some each second. */
export class ByteBucket {
  readonly #burst: number;
  readonly #perSecond: number;
  #left: number;
  #filledAt = performance.now();

  constructor({ burst, perSecond }: { readonly burst: number; readonly perSecond: number }) {
    this.#burst = burst;
    this.#perSecond = perSecond;
    this.#left = burst;
  }

  /** Uses so many, if they are there. */
  take(bytes: number): boolean {
    const now = performance.now();
    this.#left = Math.min(this.#burst, this.#left + ((now - this.#filledAt) / 1000) * this.#perSecond);
    this.#filledAt = now;
    if (this.#left < bytes) return false;
    this.#left -= bytes;
    return true;
  }
}
