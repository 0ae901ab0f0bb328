import { sql } from '../../../platform/db/sql.ts';
import type { OwnedTable } from '../../../platform/tables/owned-table.ts';

const ofProjects = { rowsOf: 'project', after: ['control.projects', 'control.accounts'] } as const;

export const memberTables: readonly OwnedTable[] = [
  { ...ofProjects, name: 'control.members', key: ['project_id', 'account_id'] },
  {
    ...ofProjects,
    name: 'control.invitations',
    key: ['id'],
    // Kept for a week, so that nobody is mailed again and again.
    expires: { when: sql`expires_at < now() AND created_at < now() - interval '7 days'` },
  },
];
