import type { Config } from '../../../platform/config/config.ts';
import { parsePooledCells } from '../../../platform/config/config.ts';
import { connectionsToCell } from '../../../platform/db/connection-needs.ts';
import { leaseHolders } from '../../../platform/leases/leases.ts';
import type { CellUnderTest } from '../cell-under-test.ts';
import { type CellCheck, ok, problem, warning } from '../check.ts';
import type { Deployment } from '../deployment.ts';

/** So full, a restart of nodes or a migration may find no place. */
const nearlyFull = 0.8;

export const connections: CellCheck = {
  id: 'connections',
  group: 'PostgreSQL',
  title: 'connections',
  page: 'projects.md#in-production',
  async runInCell(cell, deployment) {
    const { connections: there, listeners } = await cell.facts();
    const processes = deployment.processes ?? Math.max(1, listeners);
    const beside = deployment.cells.filter((other) => serverOf(other) === serverOf(cell));
    const need = beside.reduce((sum, { number }) => sum + needOf(number, processes, deployment), 0);
    const counted = `${processes} ${processes === 1 ? 'process needs' : 'processes need'} up to ${need}`;
    if (need > there.most)
      return problem(
        `PostgreSQL allows ${there.most} connections; ${counted}${beside.length > 1 ? `, for ${beside.length} cells on this server` : ''}.`,
        `Set max_connections to ${need + 13} or more, lower DATABASE_POOL_SIZE, or use a pooler (POOLED_DATABASE_URLS).`,
      );
    if (there.used > there.most * nearlyFull)
      return warning(
        `${there.used} of ${there.most} connections are in use.`,
        'Find out who uses them (pg_stat_activity), raise max_connections, or use a pooler.',
      );
    return ok(`${there.used} of ${there.most} are in use; ${counted}.`);
  },
};

function needOf(cell: number, processes: number, { config }: Deployment): number {
  return connectionsToCell({
    processes,
    leaseHolders,
    poolSize: config.DATABASE_POOL_SIZE,
    isPooled: isPooled(cell, config),
  });
}

const isPooled = (cell: number, config: Config) => parsePooledCells(config).has(cell);

/** Cells on one server share its connections. */
const serverOf = ({ address }: CellUnderTest) => address.replace(/\/[^/]*$/, '');
