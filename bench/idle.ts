// What does a deployment cost that nobody calls? Prints how many connections its processes hold to a cell, and how many
// transactions a second they make there, for several numbers of cells and processes.
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { openCells, settleMs, startDeployment, watchCells } from './idle/deployment.ts';
import { startPostgres } from './service.ts';

const { values: options } = parseArgs({
  options: {
    cells: { type: 'string', default: '1,20' },
    processes: { type: 'string', default: '1,4' },
    seconds: { type: 'string', default: '20' },
    checkout: { type: 'string' },
  },
});
const numbers = (text: string) => text.split(',').map(Number);
const prefix = 'cell';

await using postgres = await startPostgres({ max_connections: '1500', shared_buffers: '128MB' });
const cells = await openCells(postgres, prefix, Math.max(...numbers(options.cells)));
await using watcher = watchCells(cells[0]!, prefix);
for (const cellCount of numbers(options.cells))
  for (const processes of numbers(options.processes)) await measure(cellCount, processes);

async function measure(cellCount: number, processes: number): Promise<void> {
  await using stack = new AsyncDisposableStack();
  const wanted = {
    cells: cells.slice(0, cellCount),
    processes,
    firstPort: 4510,
    checkout: options.checkout,
  };
  stack.use(await startDeployment(postgres, wanted));
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
