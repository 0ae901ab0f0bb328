import type { OwnedTable } from '../../../platform/tables/owned-table.ts';

export const uniqueValueTables: readonly OwnedTable[] = [
  { name: 'cell.unique_values', key: ['project_id', 'index_id', 'hash'], rowsOf: 'collection' },
];
