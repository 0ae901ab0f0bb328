import { sql } from '../../../platform/db/sql.ts';
import type { OwnedTable } from '../../../platform/tables/owned-table.ts';

export const messageTables: readonly OwnedTable[] = [
  {
    name: 'cell.message_counts',
    key: ['project_id', 'receiver_hash', 'hour'],
    rowsOf: 'project',
    expires: { when: sql`hour < now() - interval '25 hours'` },
  },
  {
    name: 'cell.messages',
    key: ['project_id', 'id'],
    rowsOf: 'project',
    expires: { when: sql`created_at < now() - interval '30 days'` },
  },
];
