import type { Config } from '../../../platform/config/config.ts';
import { parsePooledCells } from '../../../platform/config/config.ts';
import type { CellUnderTest } from '../cell-under-test.ts';
import { type CellCheck, ok, problem, warning } from '../check.ts';
import type { Deployment } from '../deployment.ts';

/** So full, a restart of nodes or a migration may find no place. */
const nearlyFull = 0.8;

/** What a process needs of PostgreSQL for a cell: see docs/projects.md, Connections. */
const direct = { shared: 6, lookups: 6, listener: 1 };
/** Jobs of a cell are done by two processes; one of all reads the change feed. */
const once = { jobs: 4, jobProcesses: 2, feed: 1 };

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
        `PostgreSQL has ${there.most} connections to give; ${counted}${beside.length > 1 ? `, for ${beside.length} cells on this server` : ''}.`,
        `Set max_connections to ${need + 13} or more, lower DATABASE_POOL_SIZE, or use a pooler (POOLED_DATABASE_URLS).`,
      );
    if (there.used > there.most * nearlyFull)
      return warning(
        `${there.used} of ${there.most} connections are taken.`,
        'Find out whose they are (pg_stat_activity), raise max_connections, or use a pooler.',
      );
    return ok(`${there.used} of ${there.most} are taken; ${counted}.`);
  },
};

function needOf(cell: number, processes: number, { config }: Deployment): number {
  const perProcess = direct.listener + (isPooled(cell, config) ? 0 : callsOf(config));
  return processes * perProcess + Math.min(processes, once.jobProcesses) * once.jobs + once.feed;
}

const callsOf = ({ DATABASE_POOL_SIZE: size }: Config) =>
  size + Math.ceil(size / 2) + direct.shared + direct.lookups;

const isPooled = (cell: number, config: Config) => parsePooledCells(config).has(cell);

/** Cells on one server share its connections. */
const serverOf = ({ address }: CellUnderTest) => address.replace(/\/[^/]*$/, '');
