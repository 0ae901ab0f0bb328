import { sql } from '../../../platform/db/sql.ts';
import type { OwnedTable } from '../../../platform/tables/owned-table.ts';

export const usageTables: readonly OwnedTable[] = [
  {
    name: 'cell.usage_hours',
    key: ['project_id', 'hour'],
    rowsOf: 'project',
    expires: { when: sql`hour < now() - interval '400 days'` },
  },
  {
    name: 'cell.usage_days',
    key: ['project_id', 'day'],
    rowsOf: 'project',
    expires: { when: sql`day < now() - interval '400 days'`, hourly: true },
  },
  {
    name: 'cell.usage_batches',
    key: ['process'],
    rowsOf: 'cell',
    // A process that is there adds to it more often. There is no index for it.
    expires: { when: sql`at < now() - interval '2 days'`, hourly: true },
  },
];
