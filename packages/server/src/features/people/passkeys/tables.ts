import { sql } from '../../../platform/db/sql.ts';
import type { OwnedTable } from '../../../platform/tables/owned-table.ts';

export const passkeyTables: readonly OwnedTable[] = [
  { name: 'cell.passkeys', key: ['project_id', 'id'], rowsOf: 'project', after: ['cell.app_users'] },
  {
    name: 'cell.passkey_challenges',
    key: ['project_id', 'challenge_hash'],
    rowsOf: 'project',
    after: ['cell.app_users'],
    expires: { when: sql`expires_at < now()` },
    endsAtRestore: true,
  },
];
