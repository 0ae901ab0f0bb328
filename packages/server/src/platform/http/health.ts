import { type TProperties, Type } from 'typebox';
import { defineError } from '../errors.ts';
import type { Operation } from './openapi/index.ts';
import type { HttpServer } from './server.ts';

export interface Probe {
  readonly name: string;
  /** Without it the node can do nothing. Without the others it serves what it can. */
  readonly isVital: boolean;
  readonly check: () => Promise<unknown>;
  /** It takes no more writes. */
  readonly isFull?: () => boolean;
}

type EngineState = 'ok' | 'full' | 'away';

const notReady = defineError('not_ready', (engines: object, isDraining: boolean) => ({
  message: isDraining ? 'This node is shutting down.' : 'The control database cannot be reached.',
  details: { engines },
}));

const described = (operationId: string, failures: readonly number[], data: TProperties) => ({
  operationId,
  tag: 'Service',
  credentials: [] as const,
  responses: {
    200: {
      description: 'Yes',
      headers: ['X-Request-Id'] as const,
      content: {
        'application/json': Type.Object({ success: Type.Literal(true), data: Type.Object(data) }),
      },
    },
  },
  failures,
});
const liveness: Operation = {
  ...described('getHealth', [500], { status: Type.Literal('ok') }),
  summary: 'Ask whether the process is alive',
  description: 'For whatever restarts it. It asks no database: use `/readyz` to know whether it can serve.',
};
const engineStates = Type.Record(Type.String(), Type.String(), {
  description: '`ok`, `full` (takes no writes) or `away`, for each engine.',
  examples: [{ control: 'ok', redis: 'ok' }],
});
const readiness: Operation = {
  ...described('getReadiness', [500, 503], { status: Type.Literal('ready'), engines: engineStates }),
  summary: 'Ask whether the node can serve',
  description: 'For load balancers: 503 while it shuts down, or cannot reach what every call needs.',
};

const believedForMs = 1000;
const patienceMs = 2000;

/**
 * /healthz: the process answers. /readyz: it can serve. Engines are asked at most once a second, however many calls come.
 * An engine that only some projects need is reported but takes no node out of rotation: that would stop all projects.
 */
export function addHealth(app: HttpServer, probes: readonly Probe[], isDraining: () => boolean): void {
  const options = (operation: Operation) => ({
    config: {
      access: 'open' as const,
      countsAs: 'nothing' as const,
      describe: (method: string) => (method === 'GET' ? operation : undefined),
    },
  });
  app.get('/healthz', options(liveness), async () => ({
    success: true,
    data: { status: 'ok' },
  }));

  let known: { until: number; engines: Promise<Record<string, EngineState>> } | undefined;
  app.get('/readyz', options(readiness), async () => {
    if (!known || known.until < performance.now()) {
      known = { until: performance.now() + believedForMs, engines: askAll(probes) };
    }
    const engines = await known.engines;
    const isReady = probes.every(({ name, isVital }) => !isVital || engines[name] !== 'away');
    if (isDraining() || !isReady) throw notReady(engines, isDraining());
    return { success: true, data: { status: 'ready', engines } };
  });
}

async function askAll(probes: readonly Probe[]): Promise<Record<string, EngineState>> {
  const states = await Promise.all(
    probes.map(async ({ name, check, isFull }) => {
      const state = await Promise.race([
        check().then(
          () => (isFull?.() ? ('full' as const) : ('ok' as const)),
          () => 'away' as const,
        ),
        new Promise<'away'>((resolve) => setTimeout(() => resolve('away'), patienceMs).unref()),
      ]);
      return [name, state] as const;
    }),
  );
  return Object.fromEntries(states);
}
