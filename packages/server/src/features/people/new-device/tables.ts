import { sql } from '../../../platform/db/sql.ts';
import type { OwnedTable } from '../../../platform/tables/owned-table.ts';

export const newDeviceTables: readonly OwnedTable[] = [
  {
    name: 'cell.known_devices',
    key: ['project_id', 'user_id', 'mark'],
    rowsOf: 'project',
    after: ['cell.app_users'],
    expires: { when: sql`seen_at < now() - interval '180 days'` },
  },
];
