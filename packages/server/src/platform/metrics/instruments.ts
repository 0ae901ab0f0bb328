import { others, type Series } from './family.ts';

/**
 * Values by labels. Labels are meant to come from small fixed sets; should one of them not, its further values are counted
 * together, so that nothing a caller sends can fill the memory.
 */
class LabelledValues<Value> {
  readonly #values = new Map<string, { readonly of: readonly string[]; readonly value: Value }>();
  readonly #most: number;
  readonly #make: () => Value;

  constructor(most: number, make: () => Value) {
    this.#most = most;
    this.#make = make;
  }

  get(of: readonly string[]): Value {
    const key = of.length === 1 ? of[0]! : of.join('\n');
    const known = this.#values.get(key);
    if (known) return known.value;
    if (this.#values.size >= this.#most && of.some((one) => one !== others))
      return this.get(of.map(() => others));
    const value = this.#make();
    this.#values.set(key, { of, value });
    return value;
  }

  all(): IterableIterator<{ readonly of: readonly string[]; readonly value: Value }> {
    return this.#values.values();
  }
}

/** Counts what happens, since the process started. */
export class Counter {
  readonly #values: LabelledValues<{ count: number }>;

  constructor(mostSeries: number) {
    this.#values = new LabelledValues(mostSeries, () => ({ count: 0 }));
  }

  add(amount: number, ...of: string[]): void {
    this.#values.get(of).count += amount;
  }

  get series(): Series[] {
    return Array.from(this.#values.all(), ({ of, value }) => ({ of, value: value.count }));
  }
}

interface Observed {
  readonly hits: number[];
  sum: number;
}

/** Counts how large things are, in buckets. */
export class Histogram {
  readonly bounds: readonly number[];
  readonly #values: LabelledValues<Observed>;

  constructor(bounds: readonly number[], mostSeries: number) {
    this.bounds = bounds;
    this.#values = new LabelledValues(mostSeries, () => ({
      hits: Array.from({ length: bounds.length + 1 }, () => 0),
      sum: 0,
    }));
  }

  observe(value: number, ...of: string[]): void {
    const observed = this.#values.get(of);
    const { bounds } = this;
    let at = 0;
    while (at < bounds.length && value > bounds[at]!) at += 1;
    observed.hits[at]! += 1;
    observed.sum += value;
  }

  get series(): Series[] {
    return Array.from(this.#values.all(), ({ of, value }) => ({
      of,
      value: value.sum,
      hits: [...value.hits],
    }));
  }
}
