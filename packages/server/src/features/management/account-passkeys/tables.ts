import type { OwnedTable } from '../../../platform/tables/owned-table.ts';

export const accountPasskeyTables: readonly OwnedTable[] = [
  {
    name: 'control.account_passkeys',
    key: ['id'],
    rowsOf: 'deployment',
    after: ['control.accounts'],
  },
];
