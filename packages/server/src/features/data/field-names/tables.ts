import type { OwnedTable } from '../../../platform/tables/owned-table.ts';

export const fieldNameTables: readonly OwnedTable[] = [
  { name: 'cell.field_names', key: ['project_id', 'collection', 'name'], rowsOf: 'collection' },
];
