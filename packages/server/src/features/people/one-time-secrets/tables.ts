import { sql } from '../../../platform/db/sql.ts';
import type { OwnedTable } from '../../../platform/tables/owned-table.ts';

export const oneTimeSecretTables: readonly OwnedTable[] = [
  {
    name: 'cell.one_time_tokens',
    key: ['project_id', 'token_hash'],
    rowsOf: 'project',
    after: ['cell.app_users'],
    expires: { when: sql`expires_at < now()` },
    endsAtRestore: true,
  },
  {
    name: 'cell.one_time_codes',
    key: ['project_id', 'id'],
    rowsOf: 'project',
    after: ['cell.app_users'],
    // The codes of a day are kept to be counted.
    expires: { when: sql`created_at < now() - interval '24 hours'` },
    endsAtRestore: true,
  },
];
