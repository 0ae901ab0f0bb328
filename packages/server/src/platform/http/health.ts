import { type TProperties, Type } from 'typebox';
import type { ClockWatch } from '../clock/clock-watch.ts';
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

const notReady = defineError('not_ready', (why: string) => why);

interface HealthSources {
  readonly probes: readonly Probe[];
  readonly clocks: Pick<ClockWatch, 'fault' | 'ahead'>;
  readonly isDraining: () => boolean;
}

export interface HealthState {
  /** Why the node should get no calls, if it should not. */
  readonly why: string | undefined;
  readonly engines: Readonly<Record<string, EngineState>>;
  /** By how many milliseconds this node is ahead of each clock. */
  readonly clocks: ReadonlyMap<string, number>;
}

const believedForMs = 1000;
const patienceMs = 2000;

/**
 * Whether this node can serve. Engines are asked at most once a second, however many calls come. An engine that only some
 * projects need is reported but takes no node out of rotation: that would stop all projects.
 */
export class Health {
  readonly #sources: HealthSources;
  #known: { until: number; engines: Promise<Record<string, EngineState>> } | undefined;

  constructor(sources: HealthSources) {
    this.#sources = sources;
  }

  async look(): Promise<HealthState> {
    const { probes, clocks } = this.#sources;
    if (!this.#known || this.#known.until < performance.now())
      this.#known = { until: performance.now() + believedForMs, engines: askAll(probes) };
    const engines = await this.#known.engines;
    return { why: this.#why(engines), engines, clocks: clocks.ahead() };
  }

  #why(engines: Readonly<Record<string, EngineState>>): string | undefined {
    const { probes, clocks, isDraining } = this.#sources;
    if (isDraining()) return 'This node is shutting down.';
    const isReached = probes.every(({ name, isVital }) => !isVital || engines[name] !== 'away');
    return isReached ? clocks.fault : 'The control database cannot be reached.';
  }
}

const described = (operationId: string, failures: readonly number[], data: TProperties) => ({
  operationId,
  tag: 'Service',
  credentials: [] as const,
  responses: {
    200: {
      description: 'OK',
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
  summary: 'Check whether the process is alive',
  description:
    'For whatever restarts the process. It does not check the database: use `/readyz` to learn whether the node can serve requests.',
};
const readiness: Operation = {
  ...described('getReadiness', [500, 503], { status: Type.Literal('ready') }),
  summary: 'Check whether the node can serve requests',
  description:
    'For load balancers: returns 503 while the node shuts down, or while it cannot reach what every request needs.',
};

/** /healthz: the process answers. /readyz: it can serve. What ails it is for operators: see `AdminServer`. */
export function addHealth(app: HttpServer, health: Health): void {
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
  app.get('/readyz', options(readiness), async () => {
    const { why } = await health.look();
    if (why !== undefined) throw notReady(why);
    return { success: true, data: { status: 'ready' } };
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
