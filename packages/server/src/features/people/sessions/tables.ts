import { sql } from '../../../platform/db/sql.ts';
import type { OwnedTable } from '../../../platform/tables/owned-table.ts';

export const sessionTables: readonly OwnedTable[] = [
  {
    name: 'cell.sessions',
    key: ['project_id', 'id'],
    rowsOf: 'project',
    after: ['cell.app_users'],
    expires: { when: sql`expires_at < now()` },
    endsAtRestore: true,
  },
];
