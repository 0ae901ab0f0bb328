import type { OwnedTable } from '../../../platform/tables/owned-table.ts';

export const scheduleTables: readonly OwnedTable[] = [
  { name: 'cell.schedules', key: ['project_id', 'name'], rowsOf: 'project' },
];
