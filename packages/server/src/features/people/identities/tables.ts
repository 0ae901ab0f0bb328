import { sql } from '../../../platform/db/sql.ts';
import type { OwnedTable } from '../../../platform/tables/owned-table.ts';

export const identityTables: readonly OwnedTable[] = [
  {
    name: 'cell.identities',
    key: ['project_id', 'provider', 'subject'],
    rowsOf: 'project',
    after: ['cell.app_users'],
  },
  {
    name: 'cell.oauth_states',
    key: ['project_id', 'state_hash'],
    rowsOf: 'project',
    expires: { when: sql`expires_at < now()` },
    endsAtRestore: true,
  },
  {
    name: 'cell.used_oauth_codes',
    key: ['project_id', 'code_hash'],
    rowsOf: 'project',
    // By then the provider refuses the code itself.
    expires: { when: sql`expires_at < now()` },
  },
];
