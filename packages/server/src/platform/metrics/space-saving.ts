/** A name with how much was counted for it; `error` of that may belong to names that were forgotten. */
export interface Heavy {
  readonly name: string;
  readonly amount: number;
  readonly error: number;
}

interface Entry {
  name: string;
  amount: number;
  error: number;
}

/**
 * Finds the names that most is counted for, with a fixed number of entries (Metwally et al., *Space-Saving*). No name is
 * ever counted for less than it had. With `n` entries and a sum of `s`, none is counted for more than `s / n` too much,
 * and every name with more than `s / n` is among the entries.
 */
export class SpaceSaving {
  readonly #most: number;
  readonly #entries = new Map<string, Entry>();
  #total = 0;

  constructor(most: number) {
    this.#most = most;
  }

  get total(): number {
    return this.#total;
  }

  add(name: string, amount: number): void {
    if (amount <= 0) return;
    this.#total += amount;
    const known = this.#entries.get(name);
    if (known) known.amount += amount;
    else if (this.#entries.size < this.#most) this.#entries.set(name, { name, amount, error: 0 });
    else this.#replaceSmallest(name, amount);
  }

  /** All entries, in no order. */
  entries(): IterableIterator<Heavy> {
    return this.#entries.values();
  }

  #replaceSmallest(name: string, amount: number): void {
    let smallest: Entry | undefined;
    for (const entry of this.#entries.values())
      if (smallest === undefined || entry.amount < smallest.amount) smallest = entry;
    if (!smallest) return;
    this.#entries.delete(smallest.name);
    smallest.error = smallest.amount;
    smallest.amount += amount;
    smallest.name = name;
    this.#entries.set(name, smallest);
  }
}
