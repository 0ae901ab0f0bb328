import type { OwnedTable } from '../../../platform/tables/owned-table.ts';

export const uploadTables: readonly OwnedTable[] = [
  { name: 'cell.uploads', key: ['project_id', 'id'], rowsOf: 'project', after: ['cell.loose_blobs'] },
];
