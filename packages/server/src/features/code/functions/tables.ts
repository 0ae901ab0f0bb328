import { sql } from '../../../platform/db/sql.ts';
import type { OwnedTable } from '../../../platform/tables/owned-table.ts';

export const functionTables: readonly OwnedTable[] = [
  { name: 'cell.deployments', key: ['project_id', 'version'], rowsOf: 'project' },
  {
    name: 'cell.active_deployments',
    key: ['project_id'],
    rowsOf: 'project',
    after: ['cell.deployments'],
  },
  {
    name: 'cell.function_runs',
    key: ['project_id', 'id'],
    rowsOf: 'project',
    expires: { when: sql`at < now() - interval '7 days'` },
  },
];
