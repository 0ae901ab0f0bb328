import { createPool } from '../../packages/server/src/platform/db/pool.ts';
import { createLog } from '../../packages/server/src/platform/log.ts';
import { type Node, type Postgres, startNode } from '../service.ts';

/** Pools close connections that nobody has used for a minute. */
export const settleMs = 65_000;

interface Wanted {
  /** The URL of each cell; the first also holds control. */
  readonly cells: readonly string[];
  readonly processes: number;
  readonly firstPort: number;
  readonly checkout?: string | undefined;
}

export interface Deployment extends AsyncDisposable {
  readonly nodes: readonly Node[];
}

/** Makes the databases of cells; the names of all of them begin with the same. */
export async function openCells(postgres: Postgres, prefix: string, count: number): Promise<string[]> {
  const urls: string[] = [];
  for (let number = 1; number <= count; number += 1) urls.push(await postgres.database(`${prefix}${number}`));
  return urls;
}

/** Processes that nobody calls. */
export async function startDeployment(
  postgres: Postgres,
  { cells, processes, firstPort, checkout }: Wanted,
): Promise<Deployment> {
  const stack = new AsyncDisposableStack();
  const [first = '', ...further] = cells;
  const settings = {
    FILES_FOLDER: postgres.folder,
    CELL_DATABASE_URLS: further.map((url, at) => `${at + 2}=${url}`).join(' '),
  };
  const nodes: Node[] = [];
  for (let n = 0; n < processes; n += 1)
    nodes.push(stack.use(await startNode(first, firstPort + n, { settings, checkout })));
  return { nodes, [Symbol.asyncDispose]: () => stack.disposeAsync() };
}

/** What is done in databases whose names begin with the same. */
export function watchCells(connectionString: string, prefix: string) {
  const client = createPool(
    connectionString.replace(/[^/]*$/, 'postgres'),
    { size: 1, statementTimeoutMs: 10_000, name: 'bench' },
    createLog('warn'),
  );
  return {
    async look(): Promise<{ connections: number; transactions: number }> {
      const { rows } = await client.query<{ connections: number; transactions: number }>(
        `SELECT (SELECT count(*)::int FROM pg_stat_activity
            WHERE starts_with(datname, $1) AND application_name LIKE 'plinth%') AS connections,
          (SELECT sum(xact_commit + xact_rollback)::float FROM pg_stat_database WHERE starts_with(datname, $1))
            AS transactions`,
        [prefix],
      );
      return rows[0]!;
    },
    [Symbol.asyncDispose]: () => client.end(),
  };
}
