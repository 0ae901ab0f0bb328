import { sql } from '../../../platform/db/sql.ts';
import type { OwnedTable } from '../../../platform/tables/owned-table.ts';

export const queryShapeTables: readonly OwnedTable[] = [
  {
    name: 'cell.query_shapes',
    key: ['project_id', 'collection', 'hash'],
    rowsOf: 'collection',
    // A shape that has become rare makes room for others. There is no index for it.
    expires: {
      when: sql`seen_at < now() - interval '30 days' OR (seen_at < now() - interval '1 day' AND calls < 20)`,
      hourly: true,
    },
  },
];
