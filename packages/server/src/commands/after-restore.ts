import { parseArgs } from 'node:util';
import { tables } from '../node/tables.ts';
import type { Config } from '../platform/config/config.ts';
import { endRestoredRows } from '../platform/tables/end-restored-rows.ts';
import { UsageError } from './usage.ts';
import { withCells } from './with-cells.ts';

/** `plinth after-restore`: makes a database safe to serve from that is of an earlier moment. */
export async function runAfterRestore(config: Config, args: string[]): Promise<string> {
  const { values } = parseArgs({ args, options: { cell: { type: 'string' } } });
  return withCells(config, async (cells) => {
    const restored =
      values.cell === undefined ? cells.numbers : cells.numbers.filter((n) => String(n) === values.cell);
    if (restored.length === 0)
      throw new UsageError(`There is no cell ${values.cell}: there are ${cells.numbers.join(', ')}.`);
    for (const cell of restored) {
      // Control is in the database of cell 1.
      const there = tables.filter(({ name }) => cell === 1 || !name.startsWith('control.'));
      await endRestoredRows(cells.pool(cell), there);
    }
    return [
      'All sessions have ended, and codes and links that were sent are no longer valid.',
      'The change feed starts over: subscribers read everything again.',
    ].join('\n');
  });
}
