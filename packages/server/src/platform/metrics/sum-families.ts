import type { Family, Series } from './family.ts';

/** The metrics of several processes of a node as those of one. */
export function sumFamilies(processes: ReadonlyMap<string, readonly Family[]>): Family[] {
  const sums = new Map<string, Sum>();
  for (const [worker, families] of processes)
    for (const family of families) {
      const sum = sums.get(family.name) ?? new Sum(family);
      sums.set(family.name, sum);
      sum.add(worker, family.series);
    }
  return Array.from(sums.values(), ({ family }) => family);
}

class Sum {
  readonly #described: Family;
  readonly #series = new Map<string, Series>();

  constructor(described: Family) {
    this.#described = described;
  }

  add(worker: string, series: readonly Series[]): void {
    const { scope } = this.#described;
    for (const one of series) {
      const of = scope === 'process' ? [...one.of, worker] : one.of;
      const key = of.join('\n');
      const known = this.#series.get(key);
      this.#series.set(key, known ? this.#join(known, one) : { ...one, of });
    }
  }

  #join(known: Series, more: Series): Series {
    const { scope } = this.#described;
    return {
      of: known.of,
      value: scope === 'service' ? Math.max(known.value, more.value) : known.value + more.value,
      hits: known.hits?.map((count, at) => count + (more.hits?.[at] ?? 0)),
    };
  }

  get family(): Family {
    const { labels, scope } = this.#described;
    return {
      ...this.#described,
      labels: scope === 'process' ? [...labels, 'worker'] : labels,
      series: [...this.#series.values()],
    };
  }
}
