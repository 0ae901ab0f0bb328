import type { Family, Scope, Series } from './family.ts';
import { Counter, Histogram } from './instruments.ts';

interface Described {
  /** Begins with `plinth_`; the unit is a part of it, and a counter ends in `_total`. */
  readonly name: string;
  readonly help: string;
  readonly labels?: readonly string[];
}

/** One value; or values by label, or by several labels. */
type Readings = number | Iterable<readonly [of: string | readonly string[], value: number]>;

interface Read extends Described {
  readonly type?: 'gauge' | 'counter';
  readonly scope?: Scope;
  readonly top?: number;
  readonly read: () => Readings | Promise<Readings>;
}

interface Registered extends Omit<Family, 'series'> {
  readonly collect: () => readonly Series[] | Promise<readonly Series[]>;
}

/** Of one metric in one process: what is past it is counted together as `other`. */
const mostSeries = { counter: 2000, histogram: 300 };
const believedForMs = 1000;
const patienceMs = 2000;
/** From a millisecond to ten seconds. */
const callSeconds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** What operators watch. Everything is registered before the node starts, so that nothing is missing while it is 0. */
export class Registry {
  readonly #registered = new Map<string, Registered>();
  #known: { readonly until: number; readonly families: Promise<Family[]> } | undefined;

  counter(described: Described): Counter {
    const counter = new Counter(mostSeries.counter);
    // Without labels it is there from the beginning: what has never happened is 0.
    if (!described.labels) counter.add(0);
    this.#add({ ...described, type: 'counter', scope: 'node', collect: () => counter.series });
    return counter;
  }

  histogram({ bounds = callSeconds, ...described }: Described & { bounds?: readonly number[] }): Histogram {
    const histogram = new Histogram(bounds, mostSeries.histogram);
    this.#add({
      ...described,
      type: 'histogram',
      scope: 'node',
      bounds,
      collect: () => (described.labels ? histogram.series : orEmpty(histogram.series, bounds)),
    });
    return histogram;
  }

  /** A value that is read when somebody asks. What cannot be read is left out, which tells whoever watches it. */
  gauge({ type = 'gauge', scope, read, ...described }: Read): void {
    this.#add({
      ...described,
      type,
      scope: scope ?? (type === 'counter' ? 'node' : 'process'),
      collect: async () => seriesOf(await read()),
    });
  }

  /** All metrics without their values. */
  get described(): readonly Omit<Family, 'series'>[] {
    return Array.from(this.#registered.values(), ({ name, help, type, labels, scope }) => {
      return { name, help, type, labels, scope };
    });
  }

  /** Values are read at most once a second, however many ask. */
  families(): Promise<Family[]> {
    if (!this.#known || this.#known.until < performance.now())
      this.#known = { until: performance.now() + believedForMs, families: this.#collect() };
    return this.#known.families;
  }

  #add(metric: Omit<Registered, 'labels'> & { readonly labels?: readonly string[] }): void {
    const { name, type } = metric;
    if (!/^plinth_[a-z0-9_]+$/.test(name) || name.endsWith('_total') !== (type === 'counter'))
      throw new Error(`${name} is no name of a ${type}.`);
    if (this.#registered.has(name)) throw new Error(`${name} is registered twice.`);
    this.#registered.set(name, { ...metric, labels: metric.labels ?? [] });
  }

  #collect(): Promise<Family[]> {
    return Promise.all(
      Array.from(this.#registered.values(), async ({ collect, ...described }): Promise<Family> => {
        const series = await withinPatience(collect);
        return { ...described, series };
      }),
    );
  }
}

/** A database that does not answer must not keep back what else is known. */
async function withinPatience(collect: Registered['collect']): Promise<readonly Series[]> {
  let timer: NodeJS.Timeout | undefined;
  const tired = new Promise<readonly Series[]>((resolve) => {
    timer = setTimeout(() => resolve([]), patienceMs);
  });
  const read = async () => collect();
  try {
    return await Promise.race([read().catch(() => []), tired]);
  } finally {
    clearTimeout(timer);
  }
}

function seriesOf(readings: Readings): Series[] {
  if (typeof readings === 'number') return [{ of: [], value: readings }];
  return Array.from(readings, ([of, value]) => ({ of: typeof of === 'string' ? [of] : of, value }));
}

function orEmpty(series: readonly Series[], bounds: readonly number[]): readonly Series[] {
  return series.length > 0 ? series : [{ of: [], value: 0, hits: [...bounds, 0].map(() => 0) }];
}
