/** How the calls of a line are answered. */
export interface BatcherOptions<Item, Result> {
  /** So many groups are on their way at once; who comes meanwhile goes with the next. */
  readonly mostAtOnce: number;
  /** How many of those who wait go together. */
  readonly take: (waiting: number) => number;
  /** Answers a group, in its order. */
  readonly answer: (items: readonly Item[]) => Promise<readonly Result[]>;
  /** Did a group fail in a way that lets each of it be tried alone? */
  readonly canTryAlone: (error: unknown) => boolean;
}

interface Call<Item, Result> {
  readonly item: Item;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Calls of one kind, which are answered in groups. Nobody waits for company: a group goes at the end of the turn of the
 * event loop in which its first call came, or when one that is on its way has returned.
 */
export class Batcher<Item, Result> {
  readonly #options: BatcherOptions<Item, Result>;
  readonly #onIdle: () => void;
  readonly #waiting: Call<Item, Result>[] = [];
  #running = 0;
  #isDue = false;

  constructor(options: BatcherOptions<Item, Result>, onIdle: () => void) {
    this.#options = options;
    this.#onIdle = onIdle;
  }

  add(item: Item): Promise<Result> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ item, resolve, reject });
      this.#goOn();
    });
  }

  #goOn(): void {
    const { mostAtOnce, take } = this.#options;
    if (this.#isDue || this.#running === mostAtOnce || this.#waiting.length === 0) return;
    this.#isDue = true;
    setImmediate(() => {
      this.#isDue = false;
      void this.#send(this.#waiting.splice(0, take(this.#waiting.length)));
    });
  }

  async #send(calls: readonly Call<Item, Result>[]): Promise<void> {
    this.#running += 1;
    this.#goOn();
    await this.#answer(calls);
    this.#running -= 1;
    this.#goOn();
    if (this.#running === 0 && this.#waiting.length === 0) this.#onIdle();
  }

  async #answer(calls: readonly Call<Item, Result>[]): Promise<void> {
    try {
      const results = await this.#options.answer(calls.map(({ item }) => item));
      for (const [at, { resolve }] of calls.entries()) resolve(results[at]!);
    } catch (error) {
      // One that fails must not fail the others.
      if (calls.length > 1 && this.#options.canTryAlone(error))
        await Promise.all(calls.map((call) => this.#answer([call])));
      else for (const { reject } of calls) reject(error);
    }
  }
}

/** Batchers by name; one that nobody waits in is forgotten. */
export class Batchers<Item, Result> {
  readonly #lines = new Map<string, Batcher<Item, Result>>();

  add(name: string, item: Item, options: () => BatcherOptions<Item, Result>): Promise<Result> {
    let line = this.#lines.get(name);
    if (!line) {
      line = new Batcher(options(), () => this.#lines.delete(name));
      this.#lines.set(name, line);
    }
    return line.add(item);
  }
}
