import type { Plan } from './plan.ts';

/** Something of which there is only so much, whatever else is added. */
export interface Limit {
  readonly name: string;
  /** How much of it is needed, and how much there is, in the same unit. */
  readonly need: number;
  readonly have: number;
  readonly unit: string;
  readonly remedy: string;
}

/** What more processes and cells do not mend, the most exceeded first. */
export function limitsOf(plan: Plan): Limit[] {
  const { equipment, connections } = plan;
  const { load, cellCores, cellConnections, redisGb } = equipment;
  const limits: Limit[] = [
    {
      name: 'connections to a cell',
      need: connections.most,
      have: cellConnections,
      unit: '',
      remedy: 'a pooler in front of each cell (`POOLED_DATABASE_URLS`), or a smaller `DATABASE_POOL_SIZE`',
    },
    {
      name: 'connections to a cell behind a pooler',
      need: connections.withPooler,
      have: cellConnections,
      unit: '',
      remedy: 'several deployments, each with its own cells; not built: processes that serve only some cells',
    },
    {
      name: 'one Redis',
      need: plan.redisCores,
      have: load,
      unit: 'cores',
      remedy:
        'several deployments, or tiers of at least 40,000 requests a minute, which processes count themselves; not built: counters spread over several Redis',
    },
    {
      name: 'memory of Redis',
      need: plan.redisBytes / 1e9,
      have: redisGb * load,
      unit: 'GB',
      remedy: 'a lower `FEED_MAX_BYTES`: subscribers that come back after a while read their lists again',
    },
    {
      name: 'lookups in the control database',
      need: plan.lookupCores,
      have: cellCores * load,
      unit: 'cores',
      remedy: 'requests of a project always to the same processes (hash on the project in the load balancer)',
    },
  ];
  return limits.toSorted((a, b) => b.need / b.have - a.need / a.have);
}

export const isExceeded = ({ need, have }: Limit) => need > have;
