const firstMs = 500;
const mostMs = 30_000;

/** How long to wait before each try: twice as long each time, and not the same for everyone who was cut off together. */
export class Backoff {
  #tries = 0;

  nextMs() {
    const whole = Math.min(mostMs, firstMs * 2 ** this.#tries);
    this.#tries += 1;
    return whole * (0.5 + Math.random() / 2);
  }

  reset() {
    this.#tries = 0;
  }
}
