interface Waiting {
  readonly begin: () => void;
}

/**
 * Lets so many pieces of work run at once, taking turns between those who ask: nobody has more than a share of the places,
 * and whoever asks for many waits behind whoever asks for one.
 */
export class FairSemaphore {
  readonly #places: number;
  readonly #share: number;
  readonly #mostWaiting: number;
  readonly #running = new Map<string, number>();
  /** In the order in which they get their next turn. */
  readonly #waiting = new Map<string, Waiting[]>();
  #taken = 0;

  /**
   * `share`: how many places one asker can have; one is left for others unless it says otherwise. `mostWaiting`: how often
   * one asker can wait; past it, the turn does not come at all.
   */
  constructor(places: number, share = Math.max(1, places - 1), mostWaiting = Number.POSITIVE_INFINITY) {
    this.#places = places;
    this.#share = share;
    this.#mostWaiting = mostWaiting;
  }

  /** How many wait for their turn. */
  get waiting(): number {
    let sum = 0;
    for (const queue of this.#waiting.values()) sum += queue.length;
    return sum;
  }

  /** Does the work when it is the asker's turn; undefined if that did not come in time. */
  async run<Result>(
    asker: string,
    longestWaitMs: number,
    work: () => Promise<Result>,
  ): Promise<Result | undefined> {
    const leave = await this.enter(asker, longestWaitMs);
    if (!leave) return undefined;
    try {
      return await work();
    } finally {
      leave();
    }
  }

  /** Takes a place when it is the asker's turn; returns how to leave it, or undefined if the turn did not come in time. */
  async enter(asker: string, longestWaitMs: number): Promise<(() => void) | undefined> {
    if (!(await this.#turn(asker, longestWaitMs))) return undefined;
    let isLeft = false;
    return () => {
      if (!isLeft) this.#leave(asker);
      isLeft = true;
    };
  }

  #turn(asker: string, longestWaitMs: number): Promise<boolean> {
    if (!this.#waiting.has(asker) && this.#canEnter(asker)) {
      this.#enter(asker);
      return Promise.resolve(true);
    }
    const queue = this.#waiting.get(asker) ?? [];
    if (queue.length >= this.#mostWaiting) return Promise.resolve(false);
    return new Promise((resolve) => {
      const waiting = {
        begin: () => {
          clearTimeout(timer);
          resolve(true);
        },
      };
      const timer = setTimeout(() => {
        queue.splice(queue.indexOf(waiting), 1);
        if (queue.length === 0) this.#waiting.delete(asker);
        resolve(false);
      }, longestWaitMs);
      queue.push(waiting);
      this.#waiting.set(asker, queue);
    });
  }

  #canEnter(asker: string): boolean {
    return this.#taken < this.#places && (this.#running.get(asker) ?? 0) < this.#share;
  }

  #enter(asker: string): void {
    this.#taken += 1;
    this.#running.set(asker, (this.#running.get(asker) ?? 0) + 1);
  }

  #leave(asker: string): void {
    this.#taken -= 1;
    const left = this.#running.get(asker)! - 1;
    if (left === 0) this.#running.delete(asker);
    else this.#running.set(asker, left);
    const next = [...this.#waiting.keys()].find((waiting) => this.#canEnter(waiting));
    if (next !== undefined) this.#begin(next);
  }

  #begin(asker: string): void {
    const queue = this.#waiting.get(asker)!;
    const waiting = queue.shift()!;
    this.#waiting.delete(asker);
    if (queue.length > 0) this.#waiting.set(asker, queue);
    this.#enter(asker);
    waiting.begin();
  }
}
