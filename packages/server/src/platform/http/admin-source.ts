import type { Family } from '../metrics/family.ts';
import type { Registry } from '../metrics/registry.ts';
import type { Health, HealthState } from './health.ts';

/** What operators ask: of one process, or of all processes of a node. */
export interface AdminSource {
  families(): Promise<readonly Family[]>;
  readiness(): Promise<Readiness>;
}

/** As it is answered. */
export interface Readiness extends Pick<HealthState, 'why' | 'engines'> {
  readonly clockAheadMs: Readonly<Record<string, number>>;
}

/** What this process answers. */
export function ownSource(metrics: Registry, health: Health): AdminSource {
  return {
    families: () => metrics.families(),
    async readiness() {
      const { why, engines, clocks } = await health.look();
      const ahead = Array.from(clocks, ([name, ms]) => [name, Math.round(ms)] as const);
      return { why, engines, clockAheadMs: Object.fromEntries(ahead) };
    },
  };
}
