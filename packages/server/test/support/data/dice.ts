/** The seed of this run. Set PLINTH_SEED to the printed number to repeat a run. */
export const seed = Number(process.env.PLINTH_SEED ?? Math.floor(Math.random() * 2 ** 31));

/** Random choices that a seed repeats. */
export class Dice {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  /** From 0 up to but not including 1. */
  roll(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  chance(share: number): boolean {
    return this.roll() < share;
  }

  /** A whole number, both ends included. */
  between(from: number, to: number): number {
    return from + Math.floor(this.roll() * (to - from + 1));
  }

  pick<Item>(list: readonly Item[]): Item {
    if (list.length === 0) throw new Error('There is nothing to pick from.');
    return list[Math.floor(this.roll() * list.length)]!;
  }

  several<Item>(list: readonly Item[], upTo: number): Item[] {
    return Array.from({ length: this.between(0, upTo) }, () => this.pick(list));
  }
}
