import type { OwnedTable } from '../tables/owned-table.ts';

/** The queue keeps its own tables; a job names its project in its key, and ends by itself once that is gone. */
export const jobTables: readonly OwnedTable[] = [
  { name: 'cell.job_workers', key: ['id'], rowsOf: 'cell' },
  { name: 'graphile_worker.*', key: ['id'], rowsOf: 'cell' },
];
