import type { OwnedTable } from '../../../platform/tables/owned-table.ts';

export const linkTables: readonly OwnedTable[] = [
  { name: 'cell.links', key: ['project_id', 'collection', 'field', 'target'], rowsOf: 'collection' },
];
