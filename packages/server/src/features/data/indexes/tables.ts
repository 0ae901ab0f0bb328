import type { OwnedTable } from '../../../platform/tables/owned-table.ts';

export const indexTables: readonly OwnedTable[] = [
  { name: 'cell.indexes', key: ['project_id', 'collection', 'id'], rowsOf: 'collection' },
];
