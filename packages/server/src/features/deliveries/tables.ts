import { sql } from '../../platform/db/sql.ts';
import type { OwnedTable } from '../../platform/tables/owned-table.ts';

/** A subscriber comes before what it is still to be told. */
export const deliveryTables: readonly OwnedTable[] = [
  { name: 'cell.subscribers', key: ['project_id', 'lane'], rowsOf: 'project' },
  {
    name: 'cell.lanes',
    key: ['project_id', 'lane'],
    rowsOf: 'project',
    after: ['cell.subscribers'],
  },
  {
    name: 'cell.deliveries',
    key: ['project_id', 'lane', 'seq'],
    rowsOf: 'project',
    after: ['cell.subscribers'],
    // Of those who are not served: the others have died long before.
    expires: { when: sql`created_at < now() - interval '30 days'`, hourly: true },
  },
  {
    name: 'cell.dead_deliveries',
    key: ['project_id', 'lane', 'seq'],
    rowsOf: 'project',
    after: ['cell.subscribers'],
    expires: { when: sql`died_at < now() - interval '30 days'` },
  },
  {
    name: 'cell.delivery_attempts',
    key: ['project_id', 'lane', 'number'],
    rowsOf: 'project',
    after: ['cell.subscribers'],
    expires: { when: sql`at < now() - interval '7 days'` },
  },
];
