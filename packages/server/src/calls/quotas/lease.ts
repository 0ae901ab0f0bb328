/** What a node may use of one quota of a project without asking again. */
export class Lease {
  #left = 0;
  #inFlight = 0;
  #expiresAt = 0;

  /** Takes so much, if there is as much. What was taken is in flight until it is released. */
  take(amount: number): boolean {
    if (amount > this.#left || performance.now() >= this.#expiresAt) return false;
    this.#left -= amount;
    this.#inFlight += amount;
    return true;
  }

  /** The work is over: what it has written counts as used. What it has not is free for whoever asks next. */
  release(amount: number): void {
    this.#inFlight -= amount;
  }

  /** From now on nothing can be taken until it is renewed. Returns what is still in flight. */
  end(): number {
    this.#left = 0;
    return this.#inFlight;
  }

  renew(amount: number, expiresAt: number): void {
    this.#left = amount;
    this.#expiresAt = expiresAt;
  }
}
