import type { OwnedTable } from '../../../platform/tables/owned-table.ts';

export const apiKeyTables: readonly OwnedTable[] = [
  { name: 'control.api_keys', key: ['id'], rowsOf: 'project', after: ['control.projects'] },
];
