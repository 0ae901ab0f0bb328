import { sql } from '../../../platform/db/sql.ts';
import type { OwnedTable } from '../../../platform/tables/owned-table.ts';

export const phoneSignInTables: readonly OwnedTable[] = [
  {
    name: 'cell.phone_askers',
    key: ['project_id', 'phone_mark', 'asker_mark'],
    rowsOf: 'project',
    expires: {
      when: sql`since < now() - interval '24 hours' AND (known_until IS NULL OR known_until < now())`,
      hourly: true,
    },
  },
];
