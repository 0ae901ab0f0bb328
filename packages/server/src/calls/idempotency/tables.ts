import { sql } from '../../platform/db/sql.ts';
import type { OwnedTable } from '../../platform/tables/owned-table.ts';
import { keptFor } from './store.ts';

export const idempotencyTables: readonly OwnedTable[] = [
  {
    name: 'cell.idempotency_keys',
    key: ['project_id', 'key_hash'],
    rowsOf: 'project',
    expires: { when: sql`created_at < now() - ${keptFor}::interval` },
  },
];
