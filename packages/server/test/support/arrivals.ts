/** What arrived at a server of the tests, and waiting for what has not yet. */
export class Arrivals<Item> {
  readonly items: Item[] = [];
  readonly #describe: (item: Item) => string;
  readonly #waiting = new Set<() => void>();

  constructor(describe: (item: Item) => string) {
    this.#describe = describe;
  }

  add(item: Item): void {
    this.items.push(item);
    for (const look of this.#waiting) look();
  }

  /** The first that fits, of those that are here or within the limit will be. */
  until(fits: (item: Item) => boolean, limitMs = 60_000): Promise<Item> {
    const { promise, resolve, reject } = Promise.withResolvers<Item>();
    const look = () => {
      const found = this.items.find(fits);
      if (found === undefined) return;
      finish();
      resolve(found);
    };
    const late = setTimeout(() => {
      finish();
      const instead = this.items.map((item) => `\n  ${this.#describe(item)}`).join('');
      reject(
        new Error(`What was waited for did not arrive in ${limitMs} ms. What did: ${instead || 'nothing'}`),
      );
    }, limitMs);
    const finish = () => {
      clearTimeout(late);
      this.#waiting.delete(look);
    };
    this.#waiting.add(look);
    look();
    return promise;
  }

  /** Empties the list, so that the next wait is for something new. */
  forget(): void {
    this.items.length = 0;
  }
}
