// What does a deployment cost that nobody calls? Prints how many connections its processes hold to a cell, and how many
// transactions a second they make there, for several numbers of cells and processes.
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { createPool } from '../packages/server/src/platform/db/pool.ts';
import { createLog } from '../packages/server/src/platform/log.ts';
import { type Postgres, startNode, startPostgres } from './service.ts';

const { values: options } = parseArgs({
  options: {
    cells: { type: 'string', default: '1,20' },
    processes: { type: 'string', default: '1,4' },
    seconds: { type: 'string', default: '20' },
    checkout: { type: 'string' },
  },
});
const numbers = (text: string) => text.split(',').map(Number);
/** Pools close connections that nobody has used for a minute. */
const settleMs = 65_000;
const firstPort = 4510;

await using postgres = await startPostgres({ max_connections: '1500', shared_buffers: '128MB' });
const first = await postgres.database('plinth');
const cells = await openCells(postgres, Math.max(...numbers(options.cells)));
await using watcher = watch(first);
for (const cellCount of numbers(options.cells))
  for (const processes of numbers(options.processes)) await measure(cellCount, processes);

async function openCells(server: Postgres, count: number): Promise<string[]> {
  const urls: string[] = [];
  for (let number = 2; number <= count; number += 1)
    urls.push(`${number}=${await server.database(`cell${number}`)}`);
  return urls;
}

async function measure(cellCount: number, processes: number): Promise<void> {
  await using nodes = new AsyncDisposableStack();
  const settings = {
    FILES_FOLDER: postgres.folder,
    CELL_DATABASE_URLS: cells.slice(0, cellCount - 1).join(' '),
  };
  const { checkout } = options;
  for (let n = 0; n < processes; n += 1)
    nodes.use(
      await startNode(first, firstPort + n, { settings, ...(checkout !== undefined && { checkout }) }),
    );
  await sleep(settleMs);
  const before = await watcher.look();
  await sleep(Number(options.seconds) * 1000);
  const after = await watcher.look();
  const perSecond = (after.transactions - before.transactions) / Number(options.seconds) / cellCount;
  process.stdout.write(
    `${cellCount} cells, ${processes} processes: ${(after.connections / cellCount).toFixed(1)} connections and ` +
      `${perSecond.toFixed(1)} transactions a second to each cell\n`,
  );
}

function watch(connectionString: string) {
  const client = createPool(
    connectionString.replace(/[^/]*$/, 'postgres'),
    { size: 1, statementTimeoutMs: 10_000, name: 'bench' },
    createLog('warn'),
  );
  const ours = `(datname = 'plinth' OR datname LIKE 'cell%')`;
  return {
    async look(): Promise<{ connections: number; transactions: number }> {
      const { rows } = await client.query<{ connections: number; transactions: number }>(`SELECT
        (SELECT count(*)::int FROM pg_stat_activity WHERE ${ours} AND application_name LIKE 'plinth%') AS connections,
        (SELECT sum(xact_commit + xact_rollback)::float FROM pg_stat_database WHERE ${ours}) AS transactions`);
      return rows[0]!;
    },
    [Symbol.asyncDispose]: () => client.end(),
  };
}
