/** A number that operators watch, for each value of its label. */
export interface Gauge {
  readonly name: string;
  readonly help: string;
  /** Without it there is one value, under the empty name. */
  readonly label?: string;
  readonly read: () => Promise<ReadonlyMap<string, number>>;
}

const believedForMs = 1000;

/** What operators watch, as Prometheus reads it. Gauges are read at most once a second, however many ask. */
export class Metrics {
  readonly #gauges: readonly Gauge[];
  #known: { until: number; text: Promise<string> } | undefined;

  constructor(gauges: readonly Gauge[]) {
    this.#gauges = gauges;
  }

  text(): Promise<string> {
    if (!this.#known || this.#known.until < performance.now())
      this.#known = { until: performance.now() + believedForMs, text: describeAll(this.#gauges) };
    return this.#known.text;
  }
}

async function describeAll(gauges: readonly Gauge[]): Promise<string> {
  return (await Promise.all(gauges.map(describe))).join('');
}

/** A gauge that cannot be read is left out, which tells whoever watches it. */
async function describe({ name, help, label, read }: Gauge): Promise<string> {
  const values = await read().catch(() => new Map<string, number>());
  const lines = Array.from(values, ([of, value]) =>
    label === undefined ? `${name} ${value}` : `${name}{${label}="${of}"} ${value}`,
  );
  return [`# HELP ${name} ${help}`, `# TYPE ${name} gauge`, ...lines, ''].join('\n');
}
