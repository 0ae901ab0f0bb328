import { timingSafeEqual } from 'node:crypto';
import { sha256 } from '../crypto/secrets.ts';
import { defineError } from '../errors.ts';
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

const tokenRequired = defineError(
  'invalid_credentials',
  () => 'Metrics are for operators: send "Authorization: Bearer <METRICS_TOKEN>", as this node has it.',
);

/**
 * `/metrics`, as Prometheus reads it, for whoever has the token; without one for everyone. Gauges are read at most once a
 * second, however many calls come.
 */
export function addMetrics(app: HttpServer, gauges: readonly Gauge[], token: string | undefined): void {
  const options = { config: { access: 'open', countsAs: 'nothing' } } as const;
  const right = token === undefined ? undefined : sha256(`Bearer ${token}`);
  let known: { until: number; text: Promise<string> } | undefined;
  app.get('/metrics', options, async ({ headers }, reply) => {
    if (right && !timingSafeEqual(sha256(headers.authorization ?? ''), right)) throw tokenRequired();
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
