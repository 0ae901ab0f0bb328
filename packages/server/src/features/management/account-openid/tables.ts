import type { OwnedTable } from '../../../platform/tables/owned-table.ts';

export const accountIdentityTables: readonly OwnedTable[] = [
  {
    name: 'control.account_identities',
    key: ['issuer', 'subject'],
    rowsOf: 'deployment',
    after: ['control.accounts'],
  },
];
