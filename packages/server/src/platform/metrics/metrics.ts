import type { HttpServer } from '../http/server.ts';

/** A number that operators watch, for each value of its label. */
export interface Gauge {
  readonly name: string;
  readonly help: string;
  /** Without it there is one value, under the empty name. */
  readonly label?: string;
  readonly read: () => Promise<ReadonlyMap<string, number>>;
}

const believedForMs = 1000;

/** `/metrics`, as Prometheus reads it. Gauges are read at most once a second, however many calls come. */
export function addMetrics(app: HttpServer, gauges: readonly Gauge[]): void {
  let known: { until: number; text: Promise<string> } | undefined;
  app.get('/metrics', { config: { access: 'open' }, schema: { hide: true } }, async (_request, reply) => {
    if (!known || known.until < performance.now())
      known = { until: performance.now() + believedForMs, text: describeAll(gauges) };
    return reply.type('text/plain; version=0.0.4; charset=utf-8').send(await known.text);
  });
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
