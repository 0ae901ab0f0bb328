import { sql } from '../../platform/db/sql.ts';
import type { OwnedTable } from '../../platform/tables/owned-table.ts';

export const quotaTables: readonly OwnedTable[] = [
  {
    name: 'cell.quota_leases',
    key: ['project_id', 'quota', 'node'],
    rowsOf: 'project',
    expires: { when: sql`expires_at < now()` },
  },
];
