import type { OwnedTable } from '../tables/owned-table.ts';

export const changeFeedTables: readonly OwnedTable[] = [
  { name: 'cell.change_feed', key: ['slot'], rowsOf: 'cell', endsAtRestore: true },
];
