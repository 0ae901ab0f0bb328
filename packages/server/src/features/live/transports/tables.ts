import { sql } from '../../../platform/db/sql.ts';
import type { OwnedTable } from '../../../platform/tables/owned-table.ts';

export const liveTables: readonly OwnedTable[] = [
  {
    name: 'cell.realtime_tickets',
    key: ['project_id', 'hash'],
    rowsOf: 'project',
    expires: { when: sql`expires_at < now()` },
    endsAtRestore: true,
  },
];
