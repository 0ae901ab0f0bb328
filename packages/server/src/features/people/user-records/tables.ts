import type { OwnedTable } from '../../../platform/tables/owned-table.ts';
import { authenticatorPlace } from './secret-store.ts';

export const userRecordTables: readonly OwnedTable[] = [
  { name: 'cell.app_users', key: ['project_id', 'id'], rowsOf: 'project' },
  { name: 'cell.app_user_counts', key: ['project_id', 'slot'], rowsOf: 'project', after: ['cell.app_users'] },
  {
    name: 'cell.app_user_secrets',
    key: ['project_id', 'user_id'],
    rowsOf: 'project',
    after: ['cell.app_users'],
    sealed: {
      column: 'totp_secret',
      holds: 'authenticator secrets',
      place: ({ user_id: userId = '' }) => authenticatorPlace(userId),
    },
  },
];
