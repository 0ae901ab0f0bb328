import { sql } from '../../../platform/db/sql.ts';
import type { OwnedTable } from '../../../platform/tables/owned-table.ts';

export const auditTables: readonly OwnedTable[] = [
  {
    name: 'control.audit_log',
    key: ['id'],
    // What was done to a project is known after it is gone.
    rowsOf: 'deployment',
    expires: { when: sql`at < now() - interval '1 year'`, hourly: true },
  },
];
