import { others, type Series } from './family.ts';

interface Leaf<Value> {
  readonly of: readonly string[];
  readonly value: Value;
}

interface Branch<Value> {
  readonly next: Map<string, Branch<Value>>;
  leaf?: Leaf<Value>;
}

/**
 * Values by labels, found one label after the other: a key made of all of them would be made and hashed anew each time.
 * Labels are meant to come from small fixed sets; should one of them not, its further values are counted together, so that
 * nothing a caller sends can fill the memory.
 */
class LabelledValues<Value> {
  readonly #root: Branch<Value> = { next: new Map() };
  readonly #leaves: Leaf<Value>[] = [];
  readonly #most: number;
  readonly #make: () => Value;

  constructor(most: number, make: () => Value) {
    this.#most = most;
    this.#make = make;
  }

  get(of: readonly string[]): Value {
    let branch: Branch<Value> | undefined = this.#root;
    for (let at = 0; branch && at < of.length; at += 1) branch = branch.next.get(of[at]!);
    return (branch?.leaf ?? this.#add(of)).value;
  }

  #add(given: readonly string[]): Leaf<Value> {
    const of = this.#leaves.length < this.#most ? given : given.map(() => others);
    let branch = this.#root;
    for (const label of of) {
      const next: Branch<Value> = branch.next.get(label) ?? { next: new Map() };
      branch.next.set(label, next);
      branch = next;
    }
    if (branch.leaf) return branch.leaf;
    branch.leaf = { of, value: this.#make() };
    this.#leaves.push(branch.leaf);
    return branch.leaf;
  }

  all(): readonly Leaf<Value>[] {
    return this.#leaves;
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
    return this.#values.all().map(({ of, value }) => ({ of, value: value.count }));
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
    return this.#values.all().map(({ of, value }) => ({
      of,
      value: value.sum,
      hits: [...value.hits],
    }));
  }
}
