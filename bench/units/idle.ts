import { setTimeout as sleep } from 'node:timers/promises';
import { openCells, settleMs, startDeployment, watchCells } from '../idle/deployment.ts';
import { memoryOf } from '../memory.ts';
import type { Units } from '../scale/units.ts';
import type { Postgres } from '../service.ts';
import { round } from './costs.ts';

const cells = 2;
/** Processes beside the two that can have the leases. */
const others = 3;
const manyCells = 9;
/** PostgreSQL adds up what idle connections have done every ten seconds only. */
const watchedMs = 25_000;

/**
 * What processes hold and do when nobody calls them. Two have the leases of a cell; what further ones add is what every
 * other does.
 */
export async function measureIdle(postgres: Postgres): Promise<Pick<Units, 'idle' | 'memory'>> {
  await using stack = new AsyncDisposableStack();
  const start = async (prefix: string, count: number, processes: number, firstPort: number) => {
    const urls = await openCells(postgres, prefix, count);
    const { nodes } = stack.use(await startDeployment(postgres, { cells: urls, processes, firstPort }));
    return { nodes, ...stack.use(watchCells(urls[0]!, prefix)) };
  };
  const two = await start('two', cells, 2, 4540);
  const more = await start('more', cells, 2 + others, 4542);
  const many = await start('many', manyCells, 1, 4542 + 2 + others);
  await sleep(settleMs);
  const [ofTwo, ofMore] = await Promise.all([two, more].map(watchFor));
  if (!ofTwo || !ofMore) throw new Error('There is nothing to compare.');
  const [few = 0, all = 0] = await Promise.all([two, many].map(({ nodes }) => memoryOf(nodes[0]!.pid)));
  const perCell = (all - few) / (manyCells - cells);
  return {
    idle: {
      withLeases: {
        connections: round(ofTwo.connections / 2),
        transactions: round(ofTwo.transactions / 2),
      },
      other: {
        connections: round((ofMore.connections - ofTwo.connections) / others),
        transactions: round((ofMore.transactions - ofTwo.transactions) / others),
      },
    },
    memory: { idle: Math.round(few - perCell * (cells - 1)), perCell: round(perCell) },
  };
}

/** What there is to each cell: connections, and transactions a second. */
async function watchFor({ look }: Pick<ReturnType<typeof watchCells>, 'look'>) {
  const startedAt = performance.now();
  const before = await look();
  await sleep(watchedMs);
  const after = await look();
  const seconds = (performance.now() - startedAt) / 1000;
  return {
    connections: after.connections / cells,
    transactions: (after.transactions - before.transactions) / seconds / cells,
  };
}
