import type { OwnedTable } from './owned-table.ts';

/** The removals are what a removal ends with: the walk itself deletes their row. */
export const removalTables: readonly OwnedTable[] = [
  { name: 'cell.purges', key: ['id'], rowsOf: 'cell' },
  { name: 'control.migrations', key: ['name'], rowsOf: 'deployment' },
  { name: 'cell.migrations', key: ['name'], rowsOf: 'cell' },
];
