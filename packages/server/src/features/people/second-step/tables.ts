import type { OwnedTable } from '../../../platform/tables/owned-table.ts';

export const secondStepTables: readonly OwnedTable[] = [
  {
    name: 'cell.recovery_codes',
    key: ['project_id', 'user_id', 'code_hash'],
    rowsOf: 'project',
    after: ['cell.app_users'],
  },
];
