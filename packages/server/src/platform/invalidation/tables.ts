import { sql } from '../db/sql.ts';
import type { OwnedTable } from '../tables/owned-table.ts';

/** `control.tell` writes it. Longer than `longestGapMs`, after which nobody reads it. */
export const invalidationTables: readonly OwnedTable[] = [
  {
    name: 'control.changes',
    key: ['id'],
    rowsOf: 'deployment',
    expires: { when: sql`at < now() - interval '15 minutes'` },
  },
];
