import type { HttpServer } from './server.ts';

export type Probe = readonly [name: string, check: () => Promise<unknown>];

const believedForMs = 1000;
const patienceMs = 2000;

/** /healthz: the process answers. /readyz: its engines do too; asked at most once a second, whoever floods it. */
export function addHealth(app: HttpServer, probes: readonly Probe[], isDraining: () => boolean): void {
  const options = (operationId: string, summary: string) => ({
    config: { access: 'open' as const },
    schema: { hide: true, operationId, summary },
  });
  app.get('/healthz', options('health', 'Is the process alive?'), async () => ({
    success: true,
    data: { status: 'ok' },
  }));

  let known: { until: number; engines: Promise<Record<string, 'ok' | 'away'>> } | undefined;
  app.get('/readyz', options('readiness', 'Can it serve?'), async (_request, reply) => {
    if (!known || known.until < performance.now()) {
      known = { until: performance.now() + believedForMs, engines: askAll(probes) };
    }
    const engines = await known.engines;
    const isReady = !isDraining() && Object.values(engines).every((state) => state === 'ok');
    reply.code(isReady ? 200 : 503);
    if (isReady) return { success: true, data: { status: 'ready', engines } };
    const message = isDraining() ? 'This node is shutting down.' : 'An engine cannot be reached.';
    return { success: false, error: { code: 'not_ready', message, details: { engines } } };
  });
}

async function askAll(probes: readonly Probe[]): Promise<Record<string, 'ok' | 'away'>> {
  const states = await Promise.all(
    probes.map(async ([name, check]) => {
      const state = await Promise.race([
        check().then(
          () => 'ok' as const,
          () => 'away' as const,
        ),
        new Promise<'away'>((resolve) => setTimeout(() => resolve('away'), patienceMs).unref()),
      ]);
      return [name, state] as const;
    }),
  );
  return Object.fromEntries(states);
}
